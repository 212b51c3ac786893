import type { MethodImpl } from "@connectrpc/connect";
import type { DirectoryService } from "../../../gen/service/directory/v1/directory_service_pb.ts";
import { UsersSearchFilterSchema } from "../../../gen/service/directory/v1/look_up_pb.ts";
import { scopesWith, visibilityOf } from "../../authorization/permissions.ts";
import { type LookUps, namesOneUser, type UserFilter } from "../../directory/look-ups.ts";
import { callerOf } from "../call.ts";
import type { PageLimits } from "../messages/page.ts";
import { askedLookUp, toFilter } from "./look-ups.ts";

export function listUsers(
  lookUps: Pick<LookUps, "listUsers">,
  limits: PageLimits,
): MethodImpl<typeof DirectoryService.method.listUsers> {
  return async (request, context) => {
    const caller = callerOf(context);
    const asked = askedLookUp("users", UsersSearchFilterSchema, request, limits);
    const filters = request.filters.map(toFilter<UserFilter>);
    // Callers who may assign roles can find any user by its exact id or login name (docs/reference/look-ups.md).
    const finds = filters.some(namesOneUser) && scopesWith(caller, "user.grant.write").length > 0;
    const visibility = finds ? "everybody" : visibilityOf(caller);
    const page = await lookUps.listUsers(visibility, { ...asked.query, filters }, context.signal);
    return { pagination: asked.tell(page), users: [...page.things] };
  };
}
