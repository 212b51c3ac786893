import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { isCurrent, migrate, missingMigrations } from "../../src/postgres/migrations/migrations.ts";
import { databaseUrl, run } from "../support/cluster.ts";
import { openService } from "../support/database.ts";
import { withClient } from "../support/with-client.ts";

const serverUrl = inject("serverUrl");
const made: string[] = [];
let all: string[];

beforeAll(async () => {
  const files = await readdir(new URL("../../migrations", import.meta.url));
  all = files.map((file) => file.replace(/\.sql$/, "")).sort();
});
afterEach(async () => {
  for (const name of made.splice(0)) await run(serverUrl, `drop database ${name}`);
});

/** A new database with nothing in it. */
async function createDatabase(options = "encoding 'UTF8'"): Promise<string> {
  const name = `bare_${randomBytes(8).toString("hex")}`;
  await run(serverUrl, `create database ${name} template template0 ${options}`);
  made.push(name);
  return databaseUrl(serverUrl, name);
}

function query(url: string, text: string): Promise<any[]> {
  return withClient({ connectionString: url }, async (client) => (await client.query(text)).rows);
}

/** Everything the schema consists of, as text. */
function describeSchema(url: string): Promise<any[]> {
  return query(
    url,
    `select conrelid::regclass::text as what, pg_get_constraintdef(oid) as definition from pg_constraint
     where connamespace = 'public'::regnamespace
     union all select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
     join pg_class on oid = indrelid where relnamespace = 'public'::regnamespace
     union all select attrelid::regclass || '.' || attname, format_type(atttypid, atttypmod) || ' ' || attnotnull
     from pg_attribute join pg_class on oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0
     union all select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace
     union all select tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     order by 1, 2`,
  );
}

describe("Migrations", () => {
  test("make the schema in an empty database, in order, and name what they did", async () => {
    const url = await createDatabase();
    expect(await migrate({ connectionString: url })).toEqual(all);
    expect(await query(url, "select name from migrations order by id")).toEqual(all.map((name) => ({ name })));
    expect(await query(url, "select count(*)::integer as count from authorizations")).toEqual([{ count: 0 }]);
  });

  test("find nothing to do the second time, and change nothing", async () => {
    const url = await createDatabase();
    await migrate({ connectionString: url });
    const before = await describeSchema(url);
    expect(before.length).toBeGreaterThan(100);
    expect(await migrate({ connectionString: url })).toEqual([]);
    expect(await describeSchema(url)).toEqual(before);
  });

  test("by eight at once are applied by one, and the others wait and find nothing", async () => {
    const [together, alone] = [await createDatabase(), await createDatabase()];
    const results = await Promise.all(Array.from({ length: 8 }, () => migrate({ connectionString: together })));
    expect(results.filter((names) => names.length > 0)).toEqual([all]);
    await migrate({ connectionString: alone });
    expect(await describeSchema(together)).toEqual(await describeSchema(alone));
  });

  test("leave a database alone that a newer version has migrated", async () => {
    const url = await createDatabase();
    await migrate({ connectionString: url });
    await query(url, "insert into migrations (name, run_on) values ('9999_from_the_future', now())");
    expect(await migrate({ connectionString: url })).toEqual([]);
    expect(await missingMigrations({ connectionString: url })).toEqual([]);
  });

  test("leave nothing half done when one of them fails, and can be tried again", async () => {
    const url = await createDatabase();
    await query(url, "create table authorization_roles (in_the_way integer)");
    await expect(migrate({ connectionString: url })).rejects.toThrow("already exists");
    expect(await query(url, "select to_regclass('authorizations') as t")).toEqual([{ t: null }]);
    const done = (await query(url, "select name from migrations order by id")).map(({ name }) => name);
    expect(await missingMigrations({ connectionString: url })).toEqual(all.filter((name) => !done.includes(name)));
    await query(url, "drop table authorization_roles");
    expect([...done, ...(await migrate({ connectionString: url }))]).toEqual(all);
  });

  test("make an id compare by code point and letters fold the same in a database of another locale", async () => {
    const results = [];
    for (const locale of ["locale_provider icu icu_locale 'tr'", "locale_provider libc locale 'C'"]) {
      const url = await createDatabase(`encoding 'UTF8' ${locale}`);
      await migrate({ connectionString: url });
      await query(
        url,
        "insert into organizations values ('Z', 'IÄΣ'), ('a', 'iäς'), ('ä', 'x'), ('i', 'KIOSK'), ('I', 'x')",
      );
      results.push(
        await query(url, "select id from organizations order by id"),
        await query(url, "select fold_case(name) from organizations where id in ('Z', 'a', 'i') order by id"),
      );
    }
    expect(results[0]?.map(({ id }) => id)).toEqual(["I", "Z", "a", "i", "ä"]);
    expect(results[1]).toEqual([{ fold_case: "iäσ" }, { fold_case: "iäσ" }, { fold_case: "kiosk" }]);
    expect(results.slice(2)).toEqual(results.slice(0, 2));
  });

  test.each(["SQL_ASCII", "LATIN1"])(
    "are refused by name in a database of the encoding %s, with nothing made",
    async (encoding) => {
      const url = await createDatabase(`encoding '${encoding}' locale_provider libc locale 'C'`);
      const message = `the database's encoding must be UTF8, got ${encoding}`;
      await expect(migrate({ connectionString: url })).rejects.toThrow(message);
      await expect(missingMigrations({ connectionString: url })).rejects.toThrow(message);
      expect(await query(url, "select relname from pg_class where relnamespace = 'public'::regnamespace")).toEqual([]);
    },
  );
});

describe("Whether a database is current", () => {
  const forever = () => AbortSignal.timeout(10_000);

  test("is told by the migrations that are in", async () => {
    const url = await createDatabase();
    const database = openService(url);
    try {
      expect(await missingMigrations({ connectionString: url })).toEqual(all);
      expect(await isCurrent(database, forever())).toBe(false);
      await migrate({ connectionString: url });
      expect(await missingMigrations({ connectionString: url })).toEqual([]);
      expect(await isCurrent(database, forever())).toBe(true);
      await query(url, "insert into migrations (name, run_on) values ('9999_from_the_future', now())");
      expect(await isCurrent(database, forever())).toBe(true);
      await query(url, `delete from migrations where name = '${all[1]}'`);
      expect(await missingMigrations({ connectionString: url })).toEqual([all[1]]);
      expect(await isCurrent(database, forever())).toBe(false);
    } finally {
      await database.close();
    }
  });

  test("is no when there is no such database, or no time", async () => {
    const missing = openService(databaseUrl(serverUrl, "there_is_none"));
    expect(await isCurrent(missing, forever())).toBe(false);
    await missing.close();
    const url = await createDatabase();
    await migrate({ connectionString: url });
    const database = openService(url);
    expect(await isCurrent(database, AbortSignal.abort())).toBe(false);
    expect(await isCurrent(database, forever())).toBe(true);
    await database.close();
  });
});
