import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import type { Instant } from "../../authorization/authorization.ts";
import type { ListedToken, OperatorTokens, TokenStore } from "../../identity/token-store.ts";
import type { Database } from "../pool/database.ts";
import { sqlState } from "../pool/failures.ts";
import { createToken, insertToken, seconds } from "./create-token.ts";
import { listTokens } from "./list-tokens.ts";
import { revokeToken } from "./revoke-token.ts";

/** For requests. */
export function postgresTokens(database: Database): TokenStore {
  return {
    create: (asked, madeWith, actor, signal) => createToken(database, asked, madeWith, actor, signal),
    list: (query, signal) => listTokens(database, query, signal),
    revoke: (id, ownerId, actor, signal) => revokeToken(database, id, ownerId, actor, signal),
  };
}

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
      const rows = await database.query<TokenRow>(selectTokens(userId), forever);
      return rows.map(toListedToken);
    },
    revoke: (id, actor) => revokeToken(database, id, undefined, actor, forever),
  };
}

export const madeByOperator = { makerId: undefined, madeWith: undefined, endsWith: undefined };

type TokenRow = {
  id: string;
  name: string;
  user_id: string;
  creation_date: Instant;
  expiration_date: Instant | null;
  last_use_date: Instant | null;
  maker_id: string | null;
};

function toListedToken(row: TokenRow): ListedToken {
  return {
    id: row.id,
    name: row.name,
    userId: row.user_id,
    creationDate: row.creation_date,
    expirationDate: row.expiration_date ?? undefined,
    lastUseDate: row.last_use_date ?? undefined,
    makerId: row.maker_id ?? undefined,
  };
}

const selectTokens = (userId: string | undefined) => sql`
  select id, name, user_id, creation_date, expiration_date, last_use_date, maker_id
  from tokens
  where ${userId ?? null}::text is null or user_id = ${userId ?? null}::text
  order by creation_date, id`;
