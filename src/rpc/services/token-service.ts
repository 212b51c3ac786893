import type { ServiceImpl } from "@connectrpc/connect";
import type { TokenService } from "../../../gen/service/identity/v1/token_service_pb.ts";
import { everywhere, holdsPermission } from "../../authorization/permissions.ts";
import { Refusal } from "../../authorization/refusal.ts";
import { unauthenticated } from "../../identity/authenticate.ts";
import { requireLifetime } from "../../identity/lifetime.ts";
import {
  noSuchUser,
  requireManages,
  type TokenPosition,
  type TokenRecord,
  type TokenStore,
} from "../../identity/token-store.ts";
import { newToken } from "../../identity/tokens.ts";
import { actorOf, callerOf } from "../call.ts";
import { askedPage, asWritten, listId, type PageLimits, type Positions, readInstant } from "../messages/page.ts";
import { fromInstant, toNanoseconds } from "../messages/timestamps.ts";

/** @param limits with the longest lifetime of tokens that callers create */
export function tokenService(
  store: TokenStore,
  limits: PageLimits & { readonly maximumTokenSeconds: number },
): ServiceImpl<typeof TokenService> {
  return {
    async createToken({ name, lifetime, userId, reason }, context) {
      const caller = callerOf(context);
      const ownerId = requireManages(caller, userId);
      const lifetimeMicroseconds = requireLifetime(lifetime && toNanoseconds(lifetime), limits.maximumTokenSeconds);
      const { token, hash } = newToken();
      const asked = { userId: ownerId, name, hash, lifetimeMicroseconds };
      const actor = actorOf(context, reason);
      const { id, expirationDate, shortened } = await store.create(asked, caller.tokenId, actor, context.signal);
      return { id, token, expirationDate: fromInstant(expirationDate), shortened };
    },

    async listTokens({ pagination, userId }, context) {
      const caller = callerOf(context);
      const ownerId = requireManages(caller, userId);
      const ascending = pagination?.asc ?? false;
      const { part, tell } = askedPage(pagination, limits, () => listId("tokens", ascending, ownerId), positions);
      const page = await store.list({ ...part, userId: ownerId, ascending }, context.signal);
      if (page === undefined) throw ownerId === caller.userId ? unauthenticated() : noSuchUser();
      return {
        pagination: tell(page),
        tokens: page.items.map((token) => fromToken(token, caller.tokenId)),
      };
    },

    async revokeToken({ id, reason }, context) {
      const caller = callerOf(context);
      const ownerId = holdsPermission(caller, "directory.write", everywhere) ? undefined : caller.userId;
      const revoked = await store.revoke(id, ownerId, actorOf(context, reason), context.signal);
      if (revoked === 0) throw new Refusal("TOKEN_NOT_FOUND", "there is no such token, or it is not yours");
      return { revoked };
    },
  };
}

const positions: Positions<TokenPosition> = { creationDate: readInstant, id: asWritten };

function fromToken({ expirationDate, lastUseDate, maker, ...token }: TokenRecord, currentId: string | undefined) {
  return {
    ...token,
    creationDate: fromInstant(token.creationDate),
    ...(expirationDate !== undefined && { expirationDate: fromInstant(expirationDate) }),
    ...(lastUseDate !== undefined && { lastUseDate: fromInstant(lastUseDate) }),
    ...(maker !== undefined && { maker }),
    ...(token.id === currentId && { current: true }),
  };
}
