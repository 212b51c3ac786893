import type pg from "pg";
import { visibilityOf } from "../src/authorization/permissions.ts";
import { hashToken } from "../src/identity/tokens.ts";
import { postgresAuthorizations } from "../src/postgres/authorization-store.ts";
import { postgresCallers } from "../src/postgres/caller-store.ts";
import { type Database, openDatabase } from "../src/postgres/database.ts";

export type Statement = { readonly name?: string; readonly text: string; readonly values: unknown[] };

/** The statements that the service sends for a page: those of its own code, written down while it runs. */
export async function statementsOfPage(
  connection: pg.ClientConfig,
  token: string,
  limit: number,
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
    const sort = { column: "creationDate", ascending: false } as const;
    await postgresAuthorizations(recording).list(
      visibilityOf(caller),
      { filters: [], sort, offset: 0n, limit },
      signal,
    );
    return statements;
  } finally {
    await database.close();
  }
}
