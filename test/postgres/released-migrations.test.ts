import { cp, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ReleasedMigrations, releasedMigrations, wrongMigrations } from "./released-migrations.ts";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

test("Released migrations never change again, and new ones come after them", async () => {
  expect(await wrongMigrations(here("../../migrations"), releasedMigrations)).toEqual([]);
});

describe("Of an invented release", () => {
  const released: ReleasedMigrations = {
    "1.0.0": {
      "0001_things": "3d16c7dc8efff083e9a476d4a530c3e3e5ec47ffa83c8bf7c3dcada3db8da509",
      "0002_owners": "22bad942770b26d9136ccf9417df74ddc2660c0616732bc40988b79a3f8a671b",
    },
  };
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "migrations-"));
    await cp(here("releases/next"), folder, { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true }));
  const file = (name: string) => path.join(folder, name);

  test("the next one may add migrations", async () => {
    expect(await wrongMigrations(folder, released)).toEqual([]);
  });

  test("a migration that changes is named", async () => {
    await writeFile(file("0002_owners.sql"), "select 1");
    expect(await wrongMigrations(folder, released)).toEqual(["0002_owners has changed"]);
  });

  test("a migration that is gone is named, and one that comes before", async () => {
    await rename(file("0002_owners.sql"), file("0001_before.sql"));
    expect(await wrongMigrations(folder, released)).toEqual([
      "0002_owners is missing",
      "0001_before comes before what is released",
    ]);
  });
});
