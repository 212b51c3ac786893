import type { MethodImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { requireAssignable, requireSeen, requireUnchangedSince, sameKeys } from "../authorization/checks.ts";
import { requirePermission } from "../authorization/permissions.ts";
import type { AuthorizationStore } from "../authorization/store.ts";
import { callerOf } from "./caller.ts";
import { fromInstant, toNanoseconds } from "./messages.ts";

export function updateAuthorization(
  store: Pick<AuthorizationStore, "change">,
): MethodImpl<typeof AuthorizationService.method.updateAuthorization> {
  return async ({ id, roleKeys, ifUnchangedSince }, context) => {
    const caller = callerOf(context);
    const changeDate = await store.change(caller.userId, context.signal, async (change) => {
      const authorization = await requireSeen(change, caller, id);
      requirePermission(caller, "user.grant.write", authorization);
      requireUnchangedSince(authorization, ifUnchangedSince && toNanoseconds(ifUnchangedSince));
      const [held, assignable] = await Promise.all([
        change.roleKeys(authorization),
        change.lockAssignableRoles(authorization, roleKeys),
      ]);
      if (sameKeys(held, roleKeys)) return authorization.changeDate;
      requireAssignable(assignable, roleKeys);
      return change.replaceRoles(authorization, roleKeys);
    });
    return { changeDate: fromInstant(changeDate) };
  };
}
