import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, inject, onTestFinished } from "vitest";
import { newActor } from "../../src/authorization/actor.ts";
import { newToken } from "../../src/identity/tokens.ts";
import { postgresImport } from "../../src/postgres/directory/import/import-store.ts";
import { type Database, openDatabase } from "../../src/postgres/pool/database.ts";
import { sessionSettings, withTypes } from "../../src/postgres/pool/session.ts";
import { databaseUrl, run } from "./cluster.ts";
import { openLoader } from "./loader.ts";
import { placed } from "./placed-changes.ts";
import { until } from "./until.ts";

export type TestDatabase = ReturnType<typeof useDatabase>;

/** With the small world in it, copied rather than loaded. */
export function createSmallWorld(): Promise<TestDatabase> {
  return createTestDatabase(inject("smallWorldDatabase"));
}

/** A database of its own for a test file: a fresh copy of the migrated schema. */
export async function createTestDatabase(template = inject("templateDatabase")): Promise<TestDatabase> {
  const serverUrl = inject("serverUrl");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await run(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  return useDatabase(databaseUrl(serverUrl, name), () => dropDatabase(serverUrl, name));
}

/** One for all tests of a file. It is dropped after them. */
export async function databaseOfTests(template?: string): Promise<TestDatabase> {
  const database = await createTestDatabase(template);
  afterAll(() => database.drop());
  return database;
}

/** The same for one test, with which it is dropped. */
export async function databaseInTest(template?: string): Promise<TestDatabase> {
  const database = await createTestDatabase(template);
  onTestFinished(() => database.drop());
  return database;
}

export function smallWorldOfTests(): Promise<TestDatabase> {
  return databaseOfTests(inject("smallWorldDatabase"));
}

/** A database as the service has it, but with one connection. */
export function openService(url: string, options: Partial<Parameters<typeof openDatabase>[0]> = {}) {
  const connection = { connectionString: url };
  return openDatabase({ connection, poolSize: 1, statementTimeoutMs: 60_000, onIdleError: () => {}, ...options });
}

/** The same for all tests of a file. */
export function openForTests(url: string, poolSize: number): Database {
  const database = openService(url, { poolSize });
  afterAll(() => database.close());
  return database;
}

/**
 * Postgres waits five seconds for the connections that are just ending, on a busy machine too short a time. Told to use
 * force it would end them with an error that no one listens for any more.
 */
async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await until("the last connection to end", async () => {
    try {
      await run(serverUrl, `drop database if exists ${name}`);
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === objectInUse) return false;
      throw error;
    }
  });
}

const objectInUse = "55006";

/** Works on a migrated database, wherever it is. */
export function useDatabase(url: string, drop: () => Promise<void>) {
  const pool = new pg.Pool({
    ...withTypes({ connectionString: url }),
    onConnect: async (client) => {
      await client.query(sessionSettings(60_000));
    },
  });
  // Some tests kill Postgres.
  pool.on("error", () => {});
  const clients: pg.Client[] = [];
  const directory = postgresImport({ connectionString: url });

  /** Runs SQL beside the service, for facts a test arranges or checks. Timestamps come as microseconds. */
  async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await pool.query<Row>(text, values)).rows;
  }

  return {
    url,
    query,
    /** Opens a session of its own, with Postgres' settings, which ends before the database is dropped. */
    async connect() {
      const client = new pg.Client(withTypes({ connectionString: url }));
      clients.push(client);
      await client.connect();
      return client;
    },
    /** Applies changes given as the JSON of the import format, as one change of state, on a connection that stays open. */
    load: openLoader(pool),
    /** Leaves what load leaves, but as the import command does it, on a connection of its own. */
    async import(...changes: object[]) {
      await directory.import(newActor(undefined, ""), placed(changes), () => {});
    },
    /** A token of a user; by default it is valid for an hour. */
    async token(userId: string, expiresInSeconds = 3_600) {
      const { token, hash } = newToken();
      await query(
        "insert into tokens (id, user_id, hash, expiration_date) values ($1, $2, $3, now() + $4 * interval '1 second')",
        [randomBytes(8).toString("hex"), userId, hash, expiresInSeconds],
      );
      return token;
    },
    async drop() {
      for (const client of clients) await client.end();
      // A pool calls itself ended before its connections are.
      await pool.end();
      await drop();
    },
  };
}
