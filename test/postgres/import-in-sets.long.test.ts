import { beforeEach, expect, onTestFinished, test } from "vitest";
import { demoWorld } from "../../demo/world.ts";
import { newActor } from "../../src/authorization/actor.ts";
import { postgresImport } from "../../src/postgres/directory/import/import-store.ts";
import { databaseInTest, type TestDatabase } from "../support/database.ts";
import { hold } from "../support/locks.ts";
import { expectNumbersTrue } from "../support/numbers.ts";
import { placed } from "../support/placed-changes.ts";
import { createGuardedDatabase } from "../support/service-role.ts";
import { authorization } from "../support/world.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await databaseInTest();
});

/** Every index, constraint and trigger, and whether it is in force. */
const inForce = () =>
  database.query(`
    select pg_get_indexdef(indexrelid) as what, indisvalid::text as state from pg_index
    where indrelid::regclass::text !~ '^pg_'
    union all
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid), convalidated::text from pg_constraint
    union all
    select tgrelid::regclass || ' ' || tgname, tgenabled::text from pg_trigger where not tgisinternal
    order by what`);

const count = async () =>
  (await database.query<{ n: number }>("select count(*)::integer as n from authorizations"))[0]?.n;

/** One of the demo world's, with a user that does not exist. */
const refused = authorization("last", "no-one", "shop", "acme", [], "2024-01-01T00:00:00Z");

test("The first large import builds indexes, references and numbers in sets, and leaves them as they were", async () => {
  const before = await inForce();
  const waits = await hold(database, "lock table events in access share mode");
  const importing = database.import(...demoWorld());
  // It holds the tables alone, which a smaller import does not.
  await waits.untilWaiting(1);
  await waits.commit();
  await importing;
  expect(await inForce()).toEqual(before);
  expect(await count()).toBe(10_000);
  await expectNumbersTrue(database);
});

test("A first large import that is refused leaves nothing of it", async () => {
  const before = await inForce();
  await expect(database.import(...demoWorld(), refused)).rejects.toThrow('user "no-one" does not exist');
  expect(await inForce()).toEqual(before);
  expect(await count()).toBe(0);
  await expectNumbersTrue(database);
});

test("A first large import may rename users who are there already", async () => {
  const world: any[] = [...demoWorld()];
  const organizations = world.filter(({ organization }) => organization);
  const users = world.filter(({ user }) => user).map(({ user }) => ({ user: { ...user, displayName: "Old name" } }));
  await database.import(...organizations, ...users);
  await database.import(...world);
  expect(await count()).toBe(10_000);
  const wrong =
    "select from authorizations a join users u on u.id = a.user_id where a.user_name <> fold_case(u.display_name)";
  expect(await database.query(wrong)).toEqual([]);
});

test("A role that may not alter the tables imports as much, row by row", async () => {
  const guarded = await createGuardedDatabase();
  onTestFinished(() => guarded.drop());
  const imported = placed([...demoWorld()]);
  await postgresImport({ connectionString: guarded.serviceUrl }).import(newActor(undefined, ""), imported, () => {});
  await expectNumbersTrue(guarded.database);
});

test("A large import beside authorizations keeps the tables open to others", async () => {
  const changes = [...demoWorld()];
  const authorizations = changes.filter((change) => "authorization" in change);
  await database.import(...changes.filter((change) => !("authorization" in change)), ...authorizations.slice(0, 1));
  const reads = await hold(database, "lock table events in access share mode");
  await database.import(...changes);
  await reads.commit();
  expect(await count()).toBe(10_000);
  await expectNumbersTrue(database);
});
