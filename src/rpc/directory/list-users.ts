import type { MethodImpl } from "@connectrpc/connect";
import type { DirectoryService } from "../../../gen/service/directory/v1/directory_service_pb.ts";
import { type UsersSearchFilter, UsersSearchFilterSchema } from "../../../gen/service/directory/v1/look_up_pb.ts";
import { scopesWith, visibilityOf } from "../../authorization/permissions.ts";
import { type LookUps, namesOneUser, type UserFilter } from "../../directory/look-ups.ts";
import { callerOf } from "../call.ts";
import { toTextMatch } from "../messages/authorizations.ts";
import type { PageLimits } from "../messages/page.ts";
import { askedLookUp } from "./look-ups.ts";

export function listUsers(
  lookUps: Pick<LookUps, "listUsers">,
  limits: PageLimits,
): MethodImpl<typeof DirectoryService.method.listUsers> {
  return async (request, context) => {
    const caller = callerOf(context);
    const asked = askedLookUp("users", UsersSearchFilterSchema, request, limits);
    const filters = request.filters.map(toFilter);
    // Callers who may assign roles can find any user by its exact id or login name (docs/reference/look-ups.md).
    const finds = filters.some(namesOneUser) && scopesWith(caller, "user.grant.write").length > 0;
    const visibility = finds ? "everybody" : visibilityOf(caller);
    const page = await lookUps.listUsers(visibility, { ...asked.query, filters }, context.signal);
    return { pagination: asked.tell(page), users: [...page.things] };
  };
}

/** The filter must have passed validation. */
function toFilter({ filter }: UsersSearchFilter): UserFilter {
  switch (filter.case) {
    case "ids":
      return { kind: "ids", ids: filter.value.ids };
    case "displayName":
    case "name":
      return { kind: filter.case, match: toTextMatch(filter.value.text, filter.value.method) };
    case "preferredLoginName":
      return { kind: "loginName", match: toTextMatch(filter.value.text, filter.value.method) };
    case "organizationId":
      return { kind: "organizationId", id: filter.value.id };
    case undefined:
      throw new Error("a filter without a kind passed validation");
  }
}
