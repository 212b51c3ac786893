import { expect, test } from "vitest";
import type { Filter, ListQuery } from "../../src/authorization/list.ts";
import { type Caller, visibilityOf } from "../../src/authorization/permissions.ts";
import type { AdministratorQuery } from "../../src/directory/store.ts";
import { postgresCallers } from "../../src/postgres/caller/caller-store.ts";
import { listStatement } from "../../src/postgres/list/list-authorizations.ts";
import { administratorStatement } from "../../src/postgres/look-up/list-administrators.ts";
import type { Statement } from "../../src/postgres/pool/prepared.ts";
import { sessionSettings } from "../../src/postgres/pool/session.ts";
import { examine } from "../plans/explain.ts";
import { databaseOfTests, openForTests } from "../support/database.ts";

/**
 * Both callers read nine organizations, with five hundred assignments each. One has a tenth entry, on an organization with
 * 990 empty projects, the other one an entry on each of these projects. So they see the same.
 */
const world = [
  "insert into organizations select 'o' || n, 'O' from generate_series(0, 9) n",
  "insert into organizations values ('empty', 'E')",
  "insert into users select 'u' || n, 'o' || n % 10, 'u', 'Person ' || n, '' from generate_series(0, 999) n",
  "insert into users select name, 'o0', name, '', '' from unnest('{ten,many}'::text[]) name",
  "insert into projects select 'p' || n, 'o' || n % 10, 'P' || n from generate_series(0, 49) n",
  "insert into projects select 'x' || n, 'empty', 'X' from generate_series(1, 990) n",
  `insert into authorizations (id, user_id, user_organization_id, project_id, organization_id, creation_date, change_date)
   select 'a' || n, 'u' || n % 1000, 'o' || n % 10, 'p' || n / 1000 * 10 + n % 10, 'o' || n % 10, at, at
   from generate_series(0, 4999) n, lateral (select timestamptz '2024-01-01' + n * interval '1 hour' as at) as moment`,
  `insert into events (authorization_id, type, time, user_id, project_id, organization_id, project_grant_id, role_keys,
     state, creation_date, request_id)
   select id, 'user.grant.added', creation_date, user_id, project_id, organization_id, '', '{}', 'active', creation_date,
     gen_random_uuid()
   from authorizations`,
  `insert into administrators (user_id, project_id, roles)
   select 'u' || n, 'p' || n % 50, '{PROJECT_OWNER}' from generate_series(0, 999) n`,
  `insert into administrators (user_id, organization_id, roles)
   select name, 'o' || n, '{ORG_OWNER_VIEWER}' from unnest('{ten,many}'::text[]) name, generate_series(1, 9) n`,
  "insert into administrators (user_id, organization_id, roles) values ('ten', 'empty', '{ORG_OWNER_VIEWER}')",
  `insert into administrators (user_id, project_id, roles)
   select 'many', id, '{PROJECT_OWNER_VIEWER}' from projects where organization_id = 'empty'`,
  "vacuum analyze",
];

const database = await databaseOfTests();
for (const statement of world) await database.query(statement);
const opened = openForTests(database.url, 1);
const client = await database.connect();
await client.query(sessionSettings(60_000));
const find = async (userId: string) =>
  (await postgresCallers(opened).findByUserId(userId, new AbortController().signal)) ?? expect.unreachable();
const [ten, many] = [await find("ten"), await find("many")];

const page = { after: undefined, offset: 0n, limit: 100, skipTotal: false };
const list = (filters: Filter[], rest: Partial<ListQuery> = {}) => {
  const query = { ...page, filters, sort: { column: "creationDate", ascending: false }, ...rest } as ListQuery;
  return (caller: Caller) => listStatement(visibilityOf(caller), query);
};
const administrators = (rest: Partial<AdministratorQuery> = {}) => {
  const query = { ...page, userId: undefined, scope: undefined, role: undefined, ascending: true, ...rest };
  return (caller: Caller) => administratorStatement(visibilityOf(caller), query);
};
const shapes: Record<string, (caller: Caller) => Statement | undefined> = {
  "a list": list([]),
  "a list without the total": list([], { skipTotal: true }),
  "a list by change date": list([], { sort: { column: "changeDate", ascending: true } }),
  "a list by project name": list([], { sort: { column: "projectName", ascending: true } }),
  "a list of a state": list([{ kind: "state", state: "active" }]),
  "a list of users": list([{ kind: "inUserIds", ids: ["u17", "u18"] }]),
  "a list by part of a name": list([
    { kind: "userDisplayName", match: { text: "n 77", method: "contains", ignoreCase: true } },
  ]),
  "all administrators": administrators(),
  "administrators, the other way": administrators({ ascending: false }),
  "administrators without the total": administrators({ skipTotal: true }),
  "administrators of an organization": administrators({ scope: { kind: "organization", id: "o3" } }),
  "administrators of a project": administrators({ scope: { kind: "project", id: "x77" } }),
  "a user's entries": administrators({ userId: "u17" }),
  "administrators with a role": administrators({ role: "PROJECT_OWNER" }),
};

/** What each of a thousand entries may cost: finding its place, and looking there for the page and for the total. */
const each = 6;

test.each(Object.keys(shapes))(
  "For a caller with 1,000 entries on empty projects, %s examines little for each",
  async (name) => {
    const run = async (caller: Caller) => {
      const statement = shapes[name]?.(caller) ?? expect.unreachable();
      return examine(client, statement, statement.name !== undefined);
    };
    const [few, all] = [await run(ten), await run(many)];
    expect(all.listed).toBe(few.listed);
    expect(all.rows).toBeLessThanOrEqual(1.5 * few.rows + 1_000 * each);
  },
);
