import type { DirectoryVersion } from "../../src/directory/version.ts";
import { openVersion, sealVersion } from "../../src/postgres/directory/sealed-version.ts";
import type { TestDatabase } from "./database.ts";

/** A version that the server takes for its own. */
export async function madeVersion(database: TestDatabase, parts: DirectoryVersion): Promise<string> {
  return sealVersion(parts, await keyOf(database));
}

export async function partsOf(database: TestDatabase, version: string): Promise<DirectoryVersion> {
  return openVersion(version, await keyOf(database));
}

/** A version of a database that has the same key, as a copy does. */
export function versionOfCopy(database: TestDatabase): Promise<string> {
  return madeVersion(database, { database: "1.5", snapshot: "3:9:", own: "", lastEvent: "" });
}

async function keyOf(database: TestDatabase): Promise<Buffer> {
  const [row] = await database.query<{ version_key: Buffer }>("select version_key from database_secrets");
  if (row === undefined) throw new Error("there is no key");
  return row.version_key;
}
