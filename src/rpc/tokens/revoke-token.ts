import type { MethodImpl } from "@connectrpc/connect";
import type { TokenService } from "../../../gen/service/identity/v1/token_service_pb.ts";
import { everywhere, holdsPermission } from "../../authorization/permissions.ts";
import { Refusal } from "../../authorization/refusal.ts";
import type { TokenStore } from "../../identity/token-store.ts";
import { actorOf, callerOf } from "../call.ts";

export function revokeToken(store: Pick<TokenStore, "revoke">): MethodImpl<typeof TokenService.method.revokeToken> {
  return async ({ id, reason }, context) => {
    const caller = callerOf(context);
    const ownerId = holdsPermission(caller, "directory.write", everywhere) ? undefined : caller.userId;
    const revoked = await store.revoke(id, ownerId, actorOf(context, reason), context.signal);
    if (revoked === 0) {
      throw new Refusal("TOKEN_NOT_FOUND", "there is no such token, or it is not yours");
    }
    return { revoked };
  };
}
