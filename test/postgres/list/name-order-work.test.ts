import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Filter, ListQuery, Position, SortColumn } from "../../../src/authorization/list.ts";
import type { Scope } from "../../../src/authorization/permissions.ts";
import { listAuthorizations, listStatement } from "../../../src/postgres/list/list-authorizations.ts";
import { openDatabase } from "../../../src/postgres/pool/database.ts";
import { examine } from "../../plans/explain.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

/**
 * One project holds 6,000 assignments, of as many users who are all called Sam. 300 more organizations have a project
 * called Portal each, with twenty assignments of users who have names of their own.
 */
const sams = 6_000;
const portals = 300;
const world = `
  insert into organizations select 'o' || n, 'Organization ' || n from generate_series(0, ${portals}) n;
  insert into projects select 'p' || n, 'o' || n, case n when 0 then 'Everything' else 'Portal' end
  from generate_series(0, ${portals}) n;
  insert into users select 'sam' || n, 'o0', 'sam' || n, 'Sam', '' from generate_series(1, ${sams}) n;
  insert into users select 'u' || n, 'o' || 1 + n / 20, 'u' || n, 'User ' || n, ''
  from generate_series(0, ${20 * portals - 1}) n;
  insert into authorizations (
    id, user_id, user_organization_id, user_name, project_id, organization_id, state, creation_date, change_date)
  select md5(id), id, organization_id, fold_case(display_name), 'p' || substr(organization_id, 2), organization_id,
    case abs(hashtext(id)) % 10 when 0 then 'inactive' else 'active' end::authorization_state, now(), now()
  from users;
  select recount_numbers();
  select restore_change_dates();
  analyze`;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(world);
  client = await database.connect();
  await client.query("set jit = off; set random_page_cost = 1.1");
});
afterAll(() => database.drop());

const limit = 10;
/** A page of ten, with what is shown of each, and for each place what tells its name. */
const ofAPage = 20 * limit;

const instance: Scope[] = [{ kind: "instance" }];
const large: Scope[] = [{ kind: "organization", organizationId: "o0" }];
const small: Scope[] = [{ kind: "organization", organizationId: "o7" }];
const project: Scope[] = [{ kind: "project", projectId: "p0" }];
const fifty: Scope[] = Array.from({ length: 50 }, (_, n) => ({ kind: "organization", organizationId: `o${n + 100}` }));

const columns: SortColumn[] = ["userDisplayName", "projectName", "organizationName"];

function query(column: SortColumn, ascending: boolean, rest: Partial<ListQuery> = {}): ListQuery {
  return { filters: [], sort: { column, ascending }, offset: 0n, limit, ...rest };
}

async function expectWork(scopes: Scope[], asked: ListQuery, rows: number): Promise<void> {
  const isKept = asked.filters.every(({ kind }) => kind === "state");
  const examined = await examine(client, listStatement({ userId: "u1", scopes }, asked), isKept);
  expect(examined.rows, JSON.stringify([asked.sort, examined.scans])).toBeLessThan(rows);
}

describe.each(columns)("A page by %s", (column) => {
  test.each([
    ["an organization with a project that holds nearly everything, of users of one name", large, ofAPage],
    ["a project that holds nearly everything", project, ofAPage],
    ["a small organization", small, ofAPage],
    // PostgreSQL 15 reads a whole page from each, newer versions half of one.
    ["fifty organizations", fifty, ofAPage + (limit + 1) * fifty.length],
    // Portals share a name, so that each has to give a few.
    ["everything", instance, ofAPage + (column === "projectName" ? 6 * portals : 0)],
  ])("reads about what it shows and what there are places of %s", async (_of, scopes, rows) => {
    for (const ascending of [true, false]) await expectWork(scopes, query(column, ascending), rows);
  });

  test("reads as much far behind, by a token", async () => {
    const service = openDatabase({
      connection: { connectionString: database.url },
      poolSize: 1,
      statementTimeoutMs: 60_000,
      onIdleError: () => {},
    });
    try {
      for (const ascending of [true, false]) {
        const far = query(column, ascending, { offset: 5_000n });
        const visibility = { userId: "u1", scopes: instance };
        const { next } = await listAuthorizations(service, visibility, far, new AbortController().signal);
        const after = next as Position;
        await expectWork(large, query(column, ascending, { after }), ofAPage);
        await expectWork(instance, query(column, ascending, { after }), ofAPage + 6 * portals);
      }
    } finally {
      await service.close();
    }
  });

  test("reads what matches where that is little, and of a state about as many rows as it takes to find them", async () => {
    const three: Filter = { kind: "inUserIds", ids: ["sam1", "u7", "u900"] };
    await expectWork(instance, query(column, true, { filters: [three] }), ofAPage);
    const inactive: Filter = { kind: "state", state: "inactive" };
    await expectWork(large, query(column, true, { filters: [inactive] }), ofAPage + 2 * sams);
    const active: Filter = { kind: "state", state: "active" };
    await expectWork(large, query(column, true, { filters: [active] }), ofAPage + limit);
  });
});
