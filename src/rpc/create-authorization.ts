import type { MethodImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { requireAssignable } from "../authorization/checks.ts";
import { requirePermission } from "../authorization/permissions.ts";
import { Refusal } from "../authorization/refusal.ts";
import type { AuthorizationStore } from "../authorization/store.ts";
import { callerOf } from "./caller.ts";
import { fromInstant } from "./messages.ts";

/** @param newId makes ids that are ordered by time */
export function createAuthorization(
  store: Pick<AuthorizationStore, "change">,
  newId: () => string,
): MethodImpl<typeof AuthorizationService.method.createAuthorization> {
  return async ({ userId, projectId, organizationId, roleKeys }, context) => {
    const caller = callerOf(context);
    const id = newId();
    const creationDate = await store.change(caller.userId, context.signal, async (change) => {
      const expected = await change.findPlace(projectId, organizationId);
      requirePermission(caller, "user.grant.write", expected ?? nowhereIn(organizationId));
      // Only now, so that nobody waits for the lock of a project that is none of its business.
      const [place, exists] = await Promise.all([
        change.lockPlace(projectId, organizationId),
        change.lockParties(userId, organizationId),
      ]);
      requirePermission(caller, "user.grant.write", place ?? nowhereIn(organizationId));
      if (!exists.user) throw new Refusal("USER_NOT_FOUND", "there is no such user");
      if (!exists.organization) throw new Refusal("ORGANIZATION_NOT_FOUND", "there is no such organization");
      if (place === undefined)
        throw new Refusal("PROJECT_NOT_GRANTED", "the organization neither owns the project nor is granted it");
      requireAssignable(await change.lockAssignableRoles(place, roleKeys), roleKeys);
      const result = await change.create({ id, userId, place, roleKeys });
      if ("existingId" in result) {
        throw new Refusal(
          "AUTHORIZATION_EXISTS",
          "the user has an authorization for that project in that organization",
          {
            id: result.existingId,
          },
        );
      }
      return result.creationDate;
    });
    return { id, creationDate: fromInstant(creationDate) };
  };
}

/** Where there is neither a project of the organization nor a grant to it, only entries on wider scopes count. */
function nowhereIn(organizationId: string) {
  return { projectId: "", organizationId, projectGrantId: "" };
}
