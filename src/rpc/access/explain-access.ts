import type { MethodImpl } from "@connectrpc/connect";
import type { CallerService } from "../../../gen/service/authorization/v2/caller_service_pb.ts";
import { explain, placeOf } from "../../authorization/access.ts";
import type { AccessStore } from "../../authorization/access-store.ts";
import { notFound } from "../../authorization/checks.ts";
import { requirePermission } from "../../authorization/permissions.ts";
import { Refusal } from "../../authorization/refusal.ts";
import { unauthenticated } from "../../identity/authenticate.ts";
import { callerOf } from "../call.ts";
import { fromPermissionAccess } from "../messages/access.ts";
import { fromUser } from "../messages/authorizations.ts";

export function explainAccess(
  store: Pick<AccessStore, "findAccess">,
): MethodImpl<typeof CallerService.method.explainAccess> {
  return async ({ authorizationId, userId: asked }, context) => {
    const asker = callerOf(context);
    const userId = asked === "" ? asker.userId : asked;
    const isSelf = userId === asker.userId;
    const found = await store.findAccess({ asker, authorizationId, userId }, context.signal);
    if (found === undefined) throw notFound();
    const { authorization, user, entries } = found;
    if (!isSelf) requirePermission(asker, "user.grant.read", placeOf(authorization));
    if (user === undefined)
      throw isSelf ? unauthenticated() : new Refusal("USER_NOT_FOUND", "userId: there is no such user");
    const { sees, own, permissions } = explain(authorization, { userId, entries }, asker);
    // The caller lost the right to see it after passing the gate.
    if (isSelf && !sees) throw notFound();
    return { user: fromUser(user), sees, own, permissions: permissions.map(fromPermissionAccess) };
  };
}
