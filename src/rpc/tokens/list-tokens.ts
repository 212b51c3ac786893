import type { MethodImpl } from "@connectrpc/connect";
import type { Token, TokenService } from "../../../gen/service/identity/v1/token_service_pb.ts";
import { unauthenticated } from "../../identity/authenticate.ts";
import {
  noSuchUser,
  requireManages,
  type TokenPosition,
  type TokenRecord,
  type TokenStore,
} from "../../identity/token-store.ts";
import { callerOf } from "../call.ts";
import { fromUser } from "../messages/authorizations.ts";
import { askedPage, listId, type PageLimits, type Positions, readInstant } from "../messages/page.ts";
import { fromInstant } from "../messages/timestamps.ts";

export function listTokens(
  store: Pick<TokenStore, "list">,
  limits: PageLimits,
): MethodImpl<typeof TokenService.method.listTokens> {
  return async ({ pagination, userId }, context) => {
    const caller = callerOf(context);
    const ownerId = requireManages(caller, userId);
    const ascending = pagination?.asc ?? false;
    const { part, tell } = askedPage(pagination, limits, () => listId("tokens", ascending, ownerId), positions);
    const page = await store.list({ ...part, userId: ownerId, ascending }, context.signal);
    if (page === undefined) throw ownerId === caller.userId ? unauthenticated() : noSuchUser();
    const { total, more, tokens } = page;
    return {
      pagination: tell(total, more ? tokens.at(-1) : undefined),
      tokens: tokens.map((token) => fromToken(token, caller.tokenId)),
    };
  };
}

const positions: Positions<TokenPosition> = {
  count: 2,
  write: ({ creationDate, id }) => [creationDate.toString(), id],
  read([time, id]) {
    const creationDate = readInstant(time);
    return creationDate === undefined ? undefined : { creationDate, id };
  },
};

function fromToken(token: TokenRecord, currentId: string | undefined): Token {
  const { id, name, user, creationDate, expirationDate, lastUseDate, maker } = token;
  return {
    $typeName: "service.identity.v1.Token",
    ...{ id, name, user: fromUser(user), creationDate: fromInstant(creationDate) },
    ...(expirationDate !== undefined && { expirationDate: fromInstant(expirationDate) }),
    ...(lastUseDate !== undefined && { lastUseDate: fromInstant(lastUseDate) }),
    ...(maker !== undefined && { maker: fromUser(maker) }),
    ...(id === currentId && { current: true }),
  };
}
