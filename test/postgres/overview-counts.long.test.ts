import fc from "fast-check";
import { expect, test } from "vitest";
import type { Filter } from "../../src/authorization/list.ts";
import type { Scope } from "../../src/authorization/permissions.ts";
import { readOverview } from "../../src/postgres/overview/overview.ts";
import { removeAuthorizations } from "../support/append-events.ts";
import { databaseOfTests, openForTests } from "../support/database.ts";
import { expectNumbersTrue } from "../support/numbers.ts";

// Overviews from kept numbers against those that count rows, which the oracle compares with its model: in a world of many
// organizations, some far larger than others, and with numbers that lie in several slots.

const directory = `
  insert into organizations select 'o' || lpad(n::text, 2, '0'), 'Organization ' || n from generate_series(0, 59) n;
  insert into users (id, organization_id, preferred_login_name, display_name, avatar_url)
  select 'u' || n, 'o' || lpad((n % 60)::text, 2, '0'), 'user' || n, '', '' from generate_series(0, 299) n;
  insert into projects (id, organization_id, name)
  select 'p' || lpad(n::text, 3, '0'), 'o' || lpad((n / 2)::text, 2, '0'), 'Project ' || n from generate_series(0, 119) n;
  insert into project_roles (project_id, key, display_name, group_name)
  select id, 'r' || n, '', '' from projects cross join generate_series(1, 5) n;
  insert into project_grants (id, project_id, organization_id, owner_id)
  select 'g' || p.id || o.id, p.id, o.id, p.organization_id
  from projects p join organizations o on o.id <> p.organization_id and hashtext(p.id || o.id) % 25 = 0;
  insert into project_grant_roles (project_grant_id, project_id, role_key)
  select g.id, g.project_id, r.key from project_grants g join project_roles r on r.project_id = g.project_id`;

const testDatabase = await databaseOfTests();
await testDatabase.query(directory);
const database = openForTests(testDatabase.url, 2);

const { signal } = new AbortController();
const everywhere: Scope = { kind: "instance", id: "" };

/** A share of the authorizations, named by a letter, for users of its own: a few places get most of them. */
const addAuthorizations = `
  with places as (
    select project_id, organization_id, project_grant_id, row_number() over (order by hashtext(project_id)) - 1 as place,
      count(*) over () as place_count
    from (
      select id as project_id, organization_id, '' as project_grant_id from projects
      union all
      select project_id, organization_id, id from project_grants) p
  ), added as (
    insert into authorizations (
      id, user_id, user_organization_id, project_id, organization_id, project_grant_id, state, creation_date, change_date)
    select $1 || n, u.id, u.organization_id, project_id, p.organization_id, project_grant_id,
      case when n % 7 = 0 then 'inactive' else 'active' end::authorization_state, created, created
    from generate_series(1, 700) n
    join places p on place = floor(power(abs(hashtext($1 || n)) % 1000 / 1000.0, 3) * place_count)
    join users u on u.id = 'u' || n % 75 + 75 * (ascii($1) - ascii('a'))
    cross join lateral (select timestamptz '2024-01-01 22:00+00' + n % 97 * interval '11 hours' as created) c
    on conflict do nothing
    returning *
  ), roles as (
    insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
    select a.id, a.project_id, a.project_grant_id, 'r' || k
    from added a cross join generate_series(1, 5) k
    where abs(hashtext(a.id || k)) % (k + 1) = 0
    returning authorization_id, role_key
  ), dated as (
    insert into authorization_change_dates (id, organization_id, project_id, change_date)
    select id, organization_id, project_id, change_date from added
  )
  insert into events (
    authorization_id, type, time, user_id, project_id, organization_id, project_grant_id, role_keys, state, creation_date,
    request_id)
  select id, 'user.grant.added', change_date, user_id, project_id, organization_id, project_grant_id,
    array(select role_key::text from roles where authorization_id = added.id order by role_key), state, creation_date,
    gen_random_uuid()
  from added`;

const removeSome = removeAuthorizations("id like $1 || '%' and hashtext(id) % 5 <> 0", "user.grant.removed", "now()");

/** Each statement in a transaction of its own that ends when all have run, so that each adds to slots of its own. */
async function atOnce(statement: string, values: readonly string[]): Promise<void> {
  const clients = await Promise.all(values.map(testDatabase.connect));
  for (const [index, client] of clients.entries()) {
    await client.query("begin");
    await client.query(statement, [values[index]]);
  }
  for (const client of clients) await client.query("commit");
}

const number = (most: number, digits: number) => fc.nat(most).map((n) => String(n).padStart(digits, "0"));
const anyOrganization = number(59, 2).map((n) => `o${n}`);
const anyProject = number(119, 3).map((n) => `p${n}`);
const anyScopes = (grants: readonly string[]) =>
  fc.oneof(
    fc.constant<Scope[]>([]),
    fc.constant<Scope[]>([{ kind: "instance", id: "" }]),
    fc
      .uniqueArray(anyOrganization, { minLength: 35, maxLength: 60 })
      .map((ids) => ids.map((organizationId): Scope => ({ kind: "organization", id: organizationId }))),
    fc.uniqueArray(
      fc.oneof(
        anyOrganization.map((organizationId): Scope => ({ kind: "organization", id: organizationId })),
        anyProject.map((projectId): Scope => ({ kind: "project", id: projectId })),
        fc.constantFrom(...grants).map((projectGrantId): Scope => ({ kind: "projectGrant", id: projectGrantId })),
      ),
      { minLength: 1, maxLength: 40, selector: (scope) => JSON.stringify(scope) },
    ),
  );
const anyFilter: fc.Arbitrary<Filter> = fc.oneof(
  anyOrganization.map((id): Filter => ({ kind: "organizationId", id })),
  anyProject.map((id): Filter => ({ kind: "projectId", id })),
);
const anyQuery = fc.record({
  filters: fc.oneof(
    { weight: 3, arbitrary: fc.constant<Filter[]>([]) },
    { weight: 2, arbitrary: fc.array(anyFilter, { maxLength: 2 }) },
  ),
  top: fc.constantFrom(1, 2, 3, 10, 100),
  days: fc.constantFrom(1, 2, 10, 30, 366),
});

/** Matches everything. No numbers are kept for such a filter, so rows are counted. */
const counted: Filter = { kind: "not", filter: { kind: "userId", id: "no one" } };

/** Compares many overviews with what counting gives. */
async function expectRight(seed: number): Promise<void> {
  await expectNumbersTrue(testDatabase);
  const grants = await testDatabase.query<{ id: string }>("select id from project_grants order by id");
  const anyCase = fc.record({
    userId: fc.nat(299).map((n) => `u${n}`),
    scopes: anyScopes(grants.map(({ id }) => id)),
    query: anyQuery,
  });
  await fc.assert(
    fc.asyncProperty(anyCase, async ({ query, ...visibility }) => {
      const overview = (filters: Filter[]) => readOverview(database)(visibility, { ...query, filters }, signal);
      expect(await overview(query.filters)).toEqual(await overview([...query.filters, counted]));
    }),
    { seed, numRuns: 60 },
  );
}

test("An overview agrees with counting, for every caller and every request", async () => {
  await atOnce(addAuthorizations, ["a", "b", "c", "d"]);
  const slots = await testDatabase.query("select distinct slot from numbers");
  expect(slots.length).toBe(4);
  await expectRight(2);
});

test("and after many were removed, some numbers less than nothing in their slot", async () => {
  await atOnce(removeSome, ["d", "c", "b", "a"]);
  const less = await testDatabase.query("select from numbers where number < 0 limit 1");
  expect(less.length).toBe(1);
  await expectRight(3);
});

test("A day is listed if at most 100,000 were created on it and on later days", async () => {
  const place = { organizationId: "o00", projectId: "p000" };
  const callers: [Scope, Filter[]][] = [
    [everywhere, []],
    [{ kind: "organization", id: place.organizationId }, []],
    [{ kind: "project", id: place.projectId }, []],
    [everywhere, [{ kind: "state", state: "active" }]],
  ];
  const expectDays = async (days: string[], newestDayExceedsLimit: boolean) => {
    await testDatabase.query("select recount_numbers()");
    for (const [scope, filters] of callers) {
      const query = { filters, top: 1, days: 2 };
      const found = await readOverview(database)({ userId: "u0", scopes: [scope] }, query, signal);
      const listed = found.days.reduce((sum, { count }) => sum + count, 0);
      expect({ ...found, days: found.days.map(({ day, count }) => `${day} ${count}`) }).toMatchObject({
        ...{ days, newestDayExceedsLimit, onEarlierDays: found.total - listed },
      });
    }
  };
  // Rows are added much faster without the indexes of other orders.
  const [{ drop } = { drop: "" }] = await testDatabase.query<{ drop: string }>(`
    select 'drop index ' || string_agg(indexrelid::regclass::text, ', ') as drop from pg_index
    where indrelid = 'authorizations'::regclass and not indisunique and indexrelid::regclass::text not like '%creation'`);
  await testDatabase.query(drop);
  await addOn("2030-01-02", 1);
  await addOn("2030-01-01", 99_999);
  await expectDays(["2030-01-02 1", "2030-01-01 99999"], false);
  await addOn("2030-01-01", 1);
  await expectDays(["2030-01-02 1"], false);
  await testDatabase.query("delete from authorizations where creation_date = '2030-01-02'");
  await expectDays(["2030-01-01 100000"], false);
  await addOn("2030-01-01", 1);
  await expectDays([], true);
});

test("Ends within 7 and 30 days are counted up to 100,001", async () => {
  await addOn("2030-01-01", 1);
  const expectEnding = async (end: string, count: number, counted: number) => {
    await testDatabase.query(`
      begin;
      set local session_replication_role = replica;
      update authorizations set expiration_date = ${end}
      where id in (select id from authorizations where creation_date = '2030-01-01' limit ${count});
      commit`);
    for (const filters of [[], [{ kind: "state", state: "active" } as const]]) {
      const query = { filters, top: 1, days: 1 };
      const found = await readOverview(database)({ userId: "u0", scopes: [everywhere] }, query, signal);
      expect([found.endingIn7Days, found.endingIn30Days]).toEqual([counted, counted]);
    }
  };
  await expectEnding("now() + interval '6 days'", 100_002, 100_001);
  await expectEnding("null", 2, 100_000);
});

/** Adds that many in one place at once: neither references nor triggers look at them. */
function addOn(day: string, count: number) {
  return testDatabase.query(`
    begin;
    set local session_replication_role = replica;
    insert into authorizations (
      id, user_id, user_organization_id, user_name, project_id, organization_id, creation_date, change_date)
    select id, id, 'o00', '', 'p000', 'o00', '${day}', '${day}'
    from (select gen_random_uuid()::text as id from generate_series(1, ${count})) added;
    commit`);
}
