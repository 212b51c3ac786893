import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { releasedMigrations, wrongMigrations } from "./released-migrations.ts";

test("Released migrations never change again, and new ones come after them", async () => {
  const folder = fileURLToPath(new URL("../../migrations", import.meta.url));
  expect(await wrongMigrations(folder, releasedMigrations)).toEqual([]);
});
