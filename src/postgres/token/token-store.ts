import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import type { ListedToken, OperatorTokens } from "../../identity/token-store.ts";
import type { Database } from "../pool/database.ts";
import { sqlState } from "../pool/failures.ts";
import { insertToken, seconds } from "./create-token.ts";
import { revokeToken } from "./revoke-token.ts";

/** For commands, which have no deadlines. */
export function operatorTokens(database: Database): OperatorTokens {
  const forever = new AbortController().signal;
  return {
    async create(token, expiresInSeconds, actor) {
      const id = randomUUID();
      const stored = { ...token, ...madeByOperator, id, lifetime: seconds(expiresInSeconds) };
      try {
        await database.transaction(forever, (connection) => connection.query(insertToken(stored, actor)));
        return id;
      } catch (error) {
        if (sqlState(error) === "23503") return undefined;
        throw error;
      }
    },
    async list(userId) {
      return database.query<ListedToken>(selectTokens(userId), forever);
    },
    revoke: (id, actor) => revokeToken(database, id, undefined, actor, forever),
  };
}

export const madeByOperator = { makerId: undefined, madeWith: undefined, endsWith: undefined };

const selectTokens = (userId: string | undefined) => sql`
  select id, name, user_id as "userId", creation_date as "creationDate", expiration_date as "expirationDate",
    last_use_date as "lastUseDate", maker_id as "makerId"
  from tokens
  where ${userId ?? null}::text is null or user_id = ${userId ?? null}::text
  order by creation_date, id`;
