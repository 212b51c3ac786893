import type { MethodImpl } from "@connectrpc/connect";
import type { CallerService } from "../../../gen/service/authorization/v2/caller_service_pb.ts";
import { heldPermissions } from "../../authorization/access.ts";
import type { AccessStore } from "../../authorization/access-store.ts";
import { permissionsOfRole } from "../../authorization/permissions.ts";
import { unauthenticated } from "../../identity/authenticate.ts";
import { callerOf } from "../call.ts";
import { fromSource } from "../messages/access.ts";
import { fromUser } from "../messages/authorizations.ts";

const administratorRoles = Object.entries(permissionsOfRole).map(([role, permissions]) => ({
  role,
  permissions: [...permissions],
}));

export function getCaller(store: Pick<AccessStore, "findUser">): MethodImpl<typeof CallerService.method.getCaller> {
  return async (_, context) => {
    // Read again, because the gate doesn't know names, and its entries could come from another snapshot than the names.
    const found = await store.findUser(callerOf(context).userId, context.signal);
    if (found === undefined) throw unauthenticated();
    const permissions = heldPermissions(found.entries);
    return {
      user: fromUser(found.user),
      permissions: permissions.map(({ permission, sources }) => ({ permission, sources: sources.map(fromSource) })),
      administratorRoles,
    };
  };
}
