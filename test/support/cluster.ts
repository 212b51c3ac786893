import { randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { newActor } from "../../src/authorization/actor.ts";
import { postgresImport } from "../../src/postgres/directory/import/import-store.ts";
import { migrate } from "../../src/postgres/migrations/migrations.ts";
import { placed } from "./placed-changes.ts";
import { openScratchPostgres, unsafe } from "./scratch-postgres.ts";
import { withClient } from "./with-client.ts";
import { smallWorld } from "./world.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The server all test databases are made on. */
    serverUrl: string;
    /** A freshly migrated database to copy. */
    templateDatabase: string;
    /** The same with the small world in it. */
    smallWorldDatabase: string;
  }
}

/**
 * One Postgres for the whole run: the server TEST_DATABASE_URL names, or an embedded one of its own that does
 * not sync to disk. The schema is made once, and so is the small world; every test file works on a copy.
 */
export async function setup(project: TestProject): Promise<void> {
  const { url, stop } = await openServer();
  const templateDatabase = `template_${randomBytes(6).toString("hex")}`;
  await createMigrated(url, templateDatabase);
  const smallWorldDatabase = `${templateDatabase}_small_world`;
  await run(url, `create database ${smallWorldDatabase} template ${templateDatabase}`);
  await postgresImport({ connectionString: databaseUrl(url, smallWorldDatabase) }).import(
    newActor(undefined, ""),
    placed(smallWorld),
    () => {},
  );
  project.provide("serverUrl", url);
  project.provide("templateDatabase", templateDatabase);
  project.provide("smallWorldDatabase", smallWorldDatabase);
  undo = async () => {
    for (const name of [templateDatabase, smallWorldDatabase]) {
      await run(url, `drop database if exists ${name} with (force)`);
    }
    await stop();
  };
}

export async function teardown(): Promise<void> {
  await undo();
}

let undo = async () => {};

async function openServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => {} };
  return openScratchPostgres(unsafe, (message) => process.stderr.write(`${message}\n`));
}

/** Makes a database with the schema, and nothing else in it. Resolves to its URL. */
export async function createMigrated(serverUrl: string, name: string): Promise<string> {
  await run(serverUrl, `create database ${name} template template0 encoding 'UTF8'`);
  const url = databaseUrl(serverUrl, name);
  await migrate({ connectionString: url });
  return url;
}

/** The same server, another database. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.toString();
}

/** Runs one statement on a connection of its own. */
export async function run(url: string, statement: string): Promise<void> {
  await withClient({ connectionString: url }, (client) => client.query(statement));
}
