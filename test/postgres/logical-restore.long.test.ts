import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { beforeEach, describe, expect, test } from "vitest";
import { administrator } from "../support/assign.ts";
import { runCommand } from "../support/command.ts";
import { databaseInTest, type TestDatabase } from "../support/database.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { expectInvariants } from "../support/invariants.ts";
import { mixedWorld } from "../support/mixed-world.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { loadSmallWorld } from "../support/world.ts";

/**
 * What pg_dump and pg_restore do, done by hand, because they are not among the embedded programs: docs/how-to/back-up-and-restore.md says
 * which of their options are right, and these tests why.
 */

let original: TestDatabase;
let restored: TestDatabase;
let source: pg.Client;
let target: pg.Client;
let server: TestServer;

beforeEach(async () => {
  [original, restored] = [await databaseInTest(), await databaseInTest()];
  await original.load(...mixedWorld());
  await loadSmallWorld(original);
  // So that numbers lie in several slots, and dates have moved.
  server = await startTestServer({ database: original });
  const token = await original.token("root");
  await Promise.all(
    ["a1", "a2", "a3"].map(async (id) => {
      expect((await server.call("DeactivateAuthorization", { id }, { token })).status).toBe(200);
    }),
  );
  expect((await server.call("DeleteAuthorization", { id: "a4" }, { token })).status).toBe(200);
  await server.stop();
  [source, target] = [await original.connect(), await restored.connect()];
  // As every dump begins.
  await target.query("select pg_catalog.set_config('search_path', '', false)");
  await target.query(
    "delete from public.migrations; delete from public.database_secrets; delete from public.kept_history",
  );
});

/** Copies the rows of all tables, without the columns that are generated. */
async function copyRows(order = "c.relname"): Promise<void> {
  const { rows } = await source.query<{ name: string; columns: string }>(`
    select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = ''
    group by c.relname, c.oid
    order by ${order}`);
  for (const { name, columns } of rows) {
    const what = `public.${name} (${columns})`;
    await pipeline(source.query(copyTo(`copy ${what} to stdout`)), target.query(copyFrom(`copy ${what} from stdin`)));
  }
  for (const [table, column] of [
    ["events", "sequence"],
    ["migrations", "id"],
  ]) {
    const sequence = `public.${table}_${column}_seq`;
    const state = await source.query(`select last_value, is_called from ${sequence}`);
    const { last_value, is_called } = state.rows[0];
    await target.query("select pg_catalog.setval($1, $2, $3)", [sequence, last_value, is_called]);
  }
}

/** Takes away what pg_dump makes only when the rows are in, and gives what makes it again. */
async function withoutTriggersAndReferences(): Promise<() => Promise<void>> {
  const { rows } = await target.query<{ remove: string; make: string }>(`
    select pg_catalog.format('drop trigger %I on public.%I', t.tgname, c.relname) as remove,
      pg_catalog.pg_get_triggerdef(t.oid) as make
    from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = 'public'::pg_catalog.regnamespace
    union all
    select pg_catalog.format('alter table public.%I drop constraint %I', c.relname, k.conname),
      pg_catalog.format('alter table public.%I add constraint %I %s', c.relname, k.conname,
        pg_catalog.pg_get_constraintdef(k.oid))
    from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.connamespace = 'public'::pg_catalog.regnamespace`);
  expect(rows.length).toBeGreaterThan(15);
  for (const { remove } of rows) await target.query(remove);
  return async () => {
    for (const { make } of rows) await target.query(make);
  };
}

async function allTriggers(how: "disable" | "enable"): Promise<void> {
  const { rows } = await target.query<{ tablename: string }>(
    "select tablename from pg_catalog.pg_tables where schemaname = 'public'",
  );
  for (const { tablename } of rows) await target.query(`alter table public.${tablename} ${how} trigger all`);
}

/** Fails unless nothing differs, nothing is counted twice, and the service goes on from there. */
async function expectRestored(): Promise<void> {
  expect(await fingerprint(restored)).toEqual(await fingerprint(original));
  const env = { DATABASE_URL: restored.url, MIGRATE: "false" };
  expect(await runCommand(["check"], { env })).toMatchObject({ code: 0, stdout: "" });
  server = await startTestServer({ database: restored });
  const token = await administrator(restored, { instance: true, roles: ["IAM_OWNER"] });
  const total = async () =>
    (await server.call("ListAuthorizations", { pagination: { limit: 1 } }, { token })).body.pagination.totalResult;
  const before = await total();
  const request = { userId: "nobody", projectId: "shop", organizationId: "globex", roleKeys: ["seller"] };
  expect((await server.call("CreateAuthorization", request, { token })).status).toBe(200);
  expect(await total()).toBe(before + 1);
  await server.stop();
  await expectInvariants(restored);
  expect(await runCommand(["check"], { env })).toMatchObject({ code: 0, stdout: "" });
}

describe("A logical restore", () => {
  test("of everything, rows before triggers as pg_restore does, counts nothing twice", async () => {
    const makeAgain = await withoutTriggersAndReferences();
    await copyRows();
    await makeAgain();
    await expectRestored();
  });

  test("of the rows alone, into a migrated schema whose triggers are off, counts nothing twice", async () => {
    await allTriggers("disable");
    await copyRows();
    await allTriggers("enable");
    await expectRestored();
  });

  test("of the rows alone, with triggers on, fails instead of counting twice", async () => {
    // Tables were made after those they point at, and rows come in that order then. A trigger knows no schema.
    await expect(copyRows("c.oid")).rejects.toMatchObject({ code: "42P01" });
    for (const table of ["events", "numbers"]) {
      expect((await target.query(`select from public.${table}`)).rows).toEqual([]);
    }
  });
});
