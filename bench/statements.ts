import type pg from "pg";
import { type Visibility, visibilityOf } from "../src/authorization/permissions.ts";
import { hashToken } from "../src/identity/tokens.ts";
import { postgresCallers } from "../src/postgres/caller/caller-store.ts";
import { readOverview } from "../src/postgres/overview/overview.ts";
import { type Database, openDatabase } from "../src/postgres/pool/database.ts";
import { postgresStores } from "../src/postgres/stores.ts";

export type Statement = { readonly name?: string; readonly text: string; readonly values: unknown[] };

/** The statements that the service sends for a page: those of its own code, written down while it runs. */
export function statementsOfPage(
  connection: pg.ClientConfig,
  token: string,
  limit: number,
  column: "creationDate" | "changeDate" = "creationDate",
): Promise<Statement[]> {
  const sort = { column, ascending: false };
  return statementsOf(connection, token, (database, visibility, signal) =>
    postgresStores(database).authorizations.list(visibility, { filters: [], sort, offset: 0n, limit }, signal),
  );
}

/** The same for an overview of everything the caller sees. */
export function statementsOfOverview(connection: pg.ClientConfig, token: string): Promise<Statement[]> {
  return statementsOf(connection, token, (database, visibility, signal) =>
    readOverview(database)(visibility, { filters: [], top: 10, days: 30 }, signal),
  );
}

async function statementsOf(
  connection: pg.ClientConfig,
  token: string,
  work: (database: Database, visibility: Visibility, signal: AbortSignal) => Promise<unknown>,
): Promise<Statement[]> {
  const statements: Statement[] = [];
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutMs: 300_000, onIdleError: () => {} });
  const recording: Database = {
    ...database,
    query(statement, signal) {
      const { text, values } = statement;
      const name = "name" in statement ? statement.name : undefined;
      statements.push(name === undefined ? { text, values } : { name, text, values });
      return database.query(statement, signal);
    },
  };
  try {
    const { signal } = new AbortController();
    const caller = await postgresCallers(recording).findByToken(hashToken(token), signal);
    if (caller === undefined) throw new Error("the token is not known");
    await work(recording, visibilityOf(caller), signal);
    return statements;
  } finally {
    await database.close();
  }
}
