import type { ServiceImpl } from "@connectrpc/connect";
import type { TokenService } from "../../../gen/service/identity/v1/token_service_pb.ts";
import type { TokenStore } from "../../identity/token-store.ts";
import type { PageLimits } from "../messages/page.ts";
import { createToken } from "../tokens/create-token.ts";
import { listTokens } from "../tokens/list-tokens.ts";
import { revokeToken } from "../tokens/revoke-token.ts";

/** @param maximumSeconds the longest lifetime of tokens that callers create */
export function tokenService(
  store: TokenStore,
  maximumSeconds: number,
  limits: PageLimits,
): ServiceImpl<typeof TokenService> {
  return {
    createToken: createToken(store, maximumSeconds),
    listTokens: listTokens(store, limits),
    revokeToken: revokeToken(store),
  };
}
