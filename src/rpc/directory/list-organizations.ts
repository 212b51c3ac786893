import type { MethodImpl } from "@connectrpc/connect";
import type { DirectoryService } from "../../../gen/service/directory/v1/directory_service_pb.ts";
import {
  type OrganizationsSearchFilter,
  OrganizationsSearchFilterSchema,
} from "../../../gen/service/directory/v1/look_up_pb.ts";
import { visibilityOf } from "../../authorization/permissions.ts";
import type { LookUps, OrganizationFilter } from "../../directory/look-ups.ts";
import { callerOf } from "../call.ts";
import { toTextMatch } from "../messages/authorizations.ts";
import type { PageLimits } from "../messages/page.ts";
import { askedLookUp } from "./look-ups.ts";

export function listOrganizations(
  lookUps: Pick<LookUps, "listOrganizations">,
  limits: PageLimits,
): MethodImpl<typeof DirectoryService.method.listOrganizations> {
  return async (request, context) => {
    const asked = askedLookUp("organizations", OrganizationsSearchFilterSchema, request, limits);
    const query = { ...asked.query, filters: request.filters.map(toFilter) };
    const page = await lookUps.listOrganizations(visibilityOf(callerOf(context)), query, context.signal);
    return { pagination: asked.tell(page), organizations: [...page.things] };
  };
}

/** The filter must have passed validation. */
function toFilter({ filter }: OrganizationsSearchFilter): OrganizationFilter {
  switch (filter.case) {
    case "ids":
      return { kind: "ids", ids: filter.value.ids };
    case "name":
      return { kind: "name", match: toTextMatch(filter.value.text, filter.value.method) };
    case undefined:
      throw new Error("a filter without a kind passed validation");
  }
}
