import sql from "sql-template-tag";
import type { Actor } from "../../authorization/actor.ts";
import type { AskedToken } from "../../identity/token-store.ts";
import type { Database } from "../pool/database.ts";
import { sqlState } from "../pool/failures.ts";
import { insertToken, seconds } from "./create-token.ts";
import type { TokenRow } from "./list-tokens.ts";
import { revokeToken } from "./revoke-token.ts";

/** A token as operators see it. */
type ListedToken = Omit<TokenRow, "makerFields"> & { readonly userId: string };

export type OperatorTokens = ReturnType<typeof operatorTokens>;

/** The tokens as operators create, list and revoke them. For commands, which have no deadlines. */
export function operatorTokens(database: Database) {
  const forever = new AbortController().signal;
  return {
    /** Stores a token, without a limit. Resolves to false if there is no such user. */
    async create(
      token: Pick<AskedToken, "userId" | "name" | "hash">,
      expiresInSeconds: number | undefined,
      actor: Actor,
    ): Promise<boolean> {
      const stored = { ...token, ...madeByOperator, lifetime: seconds(expiresInSeconds) };
      try {
        await database.transaction(forever, (connection) => connection.query(insertToken(stored, actor)));
        return true;
      } catch (error) {
        if (sqlState(error) === "23503") return false;
        throw error;
      }
    },
    /** All tokens, or those of one user, oldest first. Expired ones stay listed until they are revoked. */
    list: (userId: string | undefined) => database.query<ListedToken>(selectTokens(userId), forever),
    /** As in TokenStore. */
    revoke: (id: string, actor: Actor) => revokeToken(database)(id, undefined, actor, forever),
  };
}

export const madeByOperator = { makerId: undefined, madeWith: undefined, endsWith: undefined };

const selectTokens = (userId: string | undefined) => sql`
  select id, name, user_id as "userId", creation_date as "creationDate", expiration_date as "expirationDate",
    last_use_date as "lastUseDate", maker_id as "makerId"
  from tokens
  where ${userId ?? null}::text is null or user_id = ${userId ?? null}::text
  order by creation_date, id`;
