import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { releasedMigrations } from "./released-migrations.ts";

const folder = new URL("../../migrations/", import.meta.url);
const released = Object.assign({}, ...Object.values(releasedMigrations)) as Record<string, string>;

test.each(Object.entries(released))("the released migration %s never changes again", async (name, sha256) => {
  const content = await readFile(new URL(`${name}.sql`, folder));
  expect(createHash("sha256").update(content).digest("hex")).toBe(sha256);
});

test("a new migration comes after those that are released", async () => {
  const names = (await readdir(folder)).map((file) => file.replace(/\.sql$/, "")).sort();
  expect(names.slice(0, Object.keys(released).length)).toEqual(Object.keys(released));
});
