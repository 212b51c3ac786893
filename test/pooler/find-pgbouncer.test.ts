import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findPgBouncer } from "./pgbouncer.ts";

test("npm run test:pooler says how to get a PgBouncer when there is none", () => {
  expect(() => findPgBouncer({ PATH: tmpdir() }, [])).toThrow(
    "pgbouncer is not installed. Debian has it (`apt-get install pgbouncer`); PGBOUNCER_PATH names one elsewhere.",
  );
  expect(() => findPgBouncer({ PGBOUNCER_PATH: "/nowhere/pgbouncer" })).toThrow(
    "PGBOUNCER_PATH names no program: /nowhere/pgbouncer",
  );
});

test("It takes the PgBouncer that PGBOUNCER_PATH names, or the first on PATH", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "find-pgbouncer-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = path.join(folder, "pgbouncer");
  await writeFile(program, "", { mode: 0o755 });
  expect(findPgBouncer({ PATH: `/nowhere:${folder}` }, [])).toBe(program);
  expect(findPgBouncer({ PATH: "", PGBOUNCER_PATH: program })).toBe(program);
});
