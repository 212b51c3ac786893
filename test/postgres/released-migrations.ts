import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** The migrations each release brought, with the SHA-256 of their files. */
export type ReleasedMigrations = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * A release adds its own here: they are in the databases of others then, and never change again. Nothing has been
 * released yet.
 */
export const releasedMigrations: ReleasedMigrations = {};

/** What is wrong with a folder of migrations after these releases: one that changed, or a new one that comes before them. */
export async function wrongMigrations(folder: string, releases: ReleasedMigrations): Promise<string[]> {
  const released = new Map(Object.values(releases).flatMap((migrations) => Object.entries(migrations)));
  const names = (await readdir(folder)).map((file) => file.replace(/\.sql$/, "")).sort();
  const wrong = [...released.keys()].filter((name) => !names.includes(name)).map((name) => `${name} is missing`);
  for (const [index, name] of names.entries()) {
    const sha256 = released.get(name);
    if (sha256 === undefined) {
      if (index < released.size) wrong.push(`${name} comes before what is released`);
    } else if ((await hashOf(path.join(folder, `${name}.sql`))) !== sha256) wrong.push(`${name} has changed`);
  }
  return wrong;
}

async function hashOf(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}
