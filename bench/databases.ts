import { randomUUID } from "node:crypto";
import type pg from "pg";
import { newActor } from "../src/authorization/actor.ts";
import { newToken } from "../src/identity/tokens.ts";
import { postgresImport } from "../src/postgres/directory/import/import-store.ts";
import { migrate } from "../src/postgres/migrations/migrations.ts";
import { placed } from "../test/support/placed-changes.ts";
import { withClient } from "../test/support/with-client.ts";
import type { BenchPostgres } from "./postgres.ts";

/** Makes an empty database, instead of one of that name. */
export async function makeEmpty(postgres: BenchPostgres, name: string): Promise<pg.ClientConfig> {
  await withClient(postgres.connectionTo("postgres"), async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name} template template0 encoding 'UTF8'`);
  });
  return postgres.connectionTo(name);
}

/** The same, with the schema. */
export async function makeMigrated(postgres: BenchPostgres, name: string): Promise<pg.ClientConfig> {
  const connection = await makeEmpty(postgres, name);
  await migrate(connection);
  return connection;
}

/** Imports changes given as the JSON of the import format. */
export async function load(connection: pg.ClientConfig, changes: readonly object[]): Promise<void> {
  await postgresImport(connection).import(newActor(undefined, ""), placed(changes), () => {});
}

/** Makes tokens that don't end, one for each user. */
export async function tokensFor(connection: pg.ClientConfig, userIds: readonly string[]): Promise<string[]> {
  const made = userIds.map((userId) => ({ userId, ...newToken() }));
  await withClient(connection, (client) =>
    client.query("insert into tokens (id, user_id, hash) select * from unnest($1::text[], $2::text[], $3::bytea[])", [
      ...[made.map(() => randomUUID()), userIds, made.map(({ hash }) => hash)],
    ]),
  );
  return made.map(({ token }) => token);
}
