import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { withClient } from "../../test/support/with-client.ts";
import { makeTokens } from "../callers.ts";
import type { BenchPostgres } from "../postgres.ts";
import { asking, everydayRequests, type Request } from "./requests.ts";

export type World = { readonly database: string; readonly requests: readonly Request[] };

/** Makes a world for each schema among the checkouts, by the code of a checkout that has it. Resolves to that of each. */
export async function openWorlds(
  postgres: BenchPostgres,
  checkouts: readonly string[],
  rows: number,
): Promise<Map<string, World>> {
  const ofSchemas = new Map<string, World>();
  const worlds = new Map<string, World>();
  for (const checkout of checkouts) {
    const schema = await schemaOf(checkout);
    const database = `schema${ofSchemas.size}`;
    const world = ofSchemas.get(schema) ?? (await makeWorld(postgres, checkout, database, rows));
    ofSchemas.set(schema, world);
    worlds.set(checkout, world);
  }
  return worlds;
}

async function makeWorld(postgres: BenchPostgres, checkout: string, database: string, rows: number): Promise<World> {
  const file = path.join(checkout, "bench/world/world.ts");
  const { openWorld } = (await import(file)) as typeof import("../world/world.ts");
  const made = await openWorld(postgres, rows, console.log, { hasRival: false });
  // The next one gets the same name.
  await withClient(postgres.connectionTo("postgres"), (client) =>
    client.query(`alter database ${made} rename to ${database}`),
  );
  const connection = postgres.connectionTo(database);
  return { database, requests: await everydayRequests(connection, await makeTokens(connection, [...asking])) };
}

/** Says which checkouts can share a database. */
async function schemaOf(checkout: string): Promise<string> {
  const folder = path.join(checkout, "migrations");
  const hash = createHash("sha256");
  for (const name of (await readdir(folder)).toSorted())
    hash.update(name).update(await readFile(path.join(folder, name)));
  return hash.digest("hex");
}
