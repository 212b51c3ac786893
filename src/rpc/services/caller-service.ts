import type { ServiceImpl } from "@connectrpc/connect";
import type { CallerService } from "../../../gen/service/authorization/v2/caller_service_pb.ts";
import { explain, heldPermissions, placeOf } from "../../authorization/access.ts";
import type { AccessStore } from "../../authorization/access-store.ts";
import { notFound } from "../../authorization/checks.ts";
import { permissionsOfRole, requirePermission } from "../../authorization/permissions.ts";
import { Refusal } from "../../authorization/refusal.ts";
import { unauthenticated } from "../../identity/authenticate.ts";
import { callerOf } from "../call.ts";
import { fromPermissionAccess, fromSource } from "../messages/access.ts";
import { fromUser } from "../messages/authorizations.ts";

const administratorRoles = Object.entries(permissionsOfRole).map(([role, permissions]) => ({
  role,
  permissions: [...permissions],
}));

export function callerService(store: AccessStore): ServiceImpl<typeof CallerService> {
  return {
    async getCaller(_, context) {
      // Read again, because the gate doesn't know names, and its entries could come from another snapshot than the names.
      const found = await store.findUser(callerOf(context).userId, context.signal);
      if (found === undefined) throw unauthenticated();
      const permissions = heldPermissions(found.entries);
      return {
        user: fromUser(found.user),
        permissions: permissions.map(({ permission, sources }) => ({ permission, sources: sources.map(fromSource) })),
        administratorRoles,
      };
    },

    async explainAccess({ authorizationId, userId: asked }, context) {
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
    },
  };
}
