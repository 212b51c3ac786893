import type { MethodImpl } from "@connectrpc/connect";
import type { DirectoryService } from "../../../gen/service/directory/v1/directory_service_pb.ts";
import { OrganizationsSearchFilterSchema } from "../../../gen/service/directory/v1/look_up_pb.ts";
import { visibilityOf } from "../../authorization/permissions.ts";
import type { LookUps, OrganizationFilter } from "../../directory/look-ups.ts";
import { callerOf } from "../call.ts";
import type { PageLimits } from "../messages/page.ts";
import { askedLookUp, toFilter } from "./look-ups.ts";

export function listOrganizations(
  lookUps: Pick<LookUps, "listOrganizations">,
  limits: PageLimits,
): MethodImpl<typeof DirectoryService.method.listOrganizations> {
  return async (request, context) => {
    const asked = askedLookUp("organizations", OrganizationsSearchFilterSchema, request, limits);
    const query = { ...asked.query, filters: request.filters.map(toFilter<OrganizationFilter>) };
    const page = await lookUps.listOrganizations(visibilityOf(callerOf(context)), query, context.signal);
    return { pagination: asked.tell(page), organizations: [...page.things] };
  };
}
