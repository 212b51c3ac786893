import type { MethodImpl } from "@connectrpc/connect";
import type { TokenService } from "../../../gen/service/identity/v1/token_service_pb.ts";
import { requireLifetime } from "../../identity/lifetime.ts";
import { requireManages, type TokenStore } from "../../identity/token-store.ts";
import { newToken } from "../../identity/tokens.ts";
import { actorOf, callerOf } from "../call.ts";
import { fromInstant, toNanoseconds } from "../messages/timestamps.ts";

export function createToken(
  store: Pick<TokenStore, "create">,
  maximumSeconds: number,
): MethodImpl<typeof TokenService.method.createToken> {
  return async ({ name, lifetime, userId, reason }, context) => {
    const caller = callerOf(context);
    const ownerId = requireManages(caller, userId);
    const lifetimeMicroseconds = requireLifetime(lifetime && toNanoseconds(lifetime), maximumSeconds);
    const { token, hash } = newToken();
    const asked = { userId: ownerId, name, hash, lifetimeMicroseconds };
    const actor = actorOf(context, reason);
    const { id, expirationDate, shortened } = await store.create(asked, caller.tokenId, actor, context.signal);
    return { id, token, expirationDate: fromInstant(expirationDate), shortened };
  };
}
