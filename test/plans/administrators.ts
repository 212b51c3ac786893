import type pg from "pg";
import sql, { join, type Sql } from "sql-template-tag";
import type { AdministratorQuery } from "../../src/directory/store.ts";
import { administratorStatement } from "../../src/postgres/look-up/list-administrators.ts";
import { textOfScope } from "../../src/postgres/seen/entries.ts";
import { idsOf, reachEverything } from "../../src/postgres/seen/scopes.ts";
import { count, pageSize } from "./bound.ts";
import type { Caller } from "./callers.ts";
import { examine } from "./explain.ts";
import type { Result } from "./judge.ts";
import type { Samples } from "./samples.ts";

/** Each entry may be read once for the page and once for the total, and as often again to find that it is seen. */
const times = 4;

/** What is read for each entry shown: itself, its user, and what its scope needs for its names. */
const details = 6;

const always = 100;

type Filters = Pick<AdministratorQuery, "userId" | "scope" | "role">;

const none: Filters = { userId: undefined, scope: undefined, role: undefined };

/** Runs ListAdministrators for every caller, by filters that match few and many. */
export async function runAdministrators(
  client: pg.Client,
  callers: readonly Caller[],
  samples: Samples,
  only: string,
): Promise<Result[]> {
  const page = { after: undefined, offset: 0n, limit: pageSize, skipTotal: false, ascending: true };
  const middle = { after: { userId: samples.user_id, kind: 0, scopeId: "" } };
  const query = (filters: Partial<Filters>, rest: Partial<AdministratorQuery> = {}) => ({
    ...{ ...page, ...none },
    ...{ ...filters, ...rest },
  });
  const largest = { kind: "organization", id: samples.largest_organization } as const;
  const cases: Record<string, AdministratorQuery> = {
    administrators: query({}),
    "administrators, the other way": query({}, { ascending: false }),
    "administrators without the total": query({}, { skipTotal: true }),
    "administrators without the total, from the middle": query({}, { skipTotal: true, ...middle }),
    "administrators, one user": query({ userId: await userWithMost(client) }),
    "administrators of the instance": query({ scope: { kind: "instance", id: "" } }),
    "administrators of the largest organization": query({ scope: largest }),
    "administrators of a project": query({ scope: { kind: "project", id: samples.large_project } }),
    "administrators with a rare role": query({ role: "IAM_OWNER" }),
    "administrators with a common role": query({ role: "ORG_OWNER_VIEWER" }),
  };
  const results: Result[] = [];
  for (const [name, asked] of Object.entries(cases).filter(([name]) => name.includes(only))) {
    for (const caller of callers) {
      const examined = await examine(client, administratorStatement(caller.visibility, asked), false);
      const [held, matched] = [
        await count(client, matching([isSeen(caller)])),
        await count(client, matching(filtersOf(asked))),
      ];
      // The entries of one user are few, so each of them is checked.
      const needed = asked.userId === undefined ? Math.min(held, matched) : matched;
      const bound = times * needed + details * examined.listed + always;
      results.push({ ...examined, filter: name, caller: caller.kind, sort: "name", bound });
    }
  }
  return results;
}

async function userWithMost(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ user_id: string }>(
    "select user_id from administrators group by user_id order by count(*) desc, user_id limit 1",
  );
  return rows[0]?.user_id ?? "";
}

/** The rule of docs/reference/directory.md, without the columns that lists find entries by. */
function isSeen({ visibility: { scopes, userId } }: Caller): Sql {
  const organizations = idsOf("organization", scopes);
  return sql`(${reachEverything(scopes)}::boolean or a.user_id = ${userId}::text
    or a.organization_id = any(${organizations}::text[])
    or a.project_id in (select id from projects where organization_id = any(${organizations}::text[]))
    or a.project_grant_id in (select id from project_grants where organization_id = any(${organizations}::text[]))
    or a.project_id = any(${idsOf("project", scopes)}::text[])
    or a.project_grant_id = any(${idsOf("projectGrant", scopes)}::text[]))`;
}

function filtersOf({ userId, scope, role }: Filters): Sql[] {
  const conditions = [sql`true`];
  if (userId !== undefined) conditions.push(sql`a.user_id = ${userId}::text`);
  if (scope !== undefined) conditions.push(sql`a.scope = ${textOfScope(scope)}::text`);
  if (role !== undefined) conditions.push(sql`a.roles @> array[${role}::text]`);
  return conditions;
}

function matching(conditions: readonly Sql[]): Sql {
  return sql`select count(*) from administrators a where ${join([...conditions], " and ")}`;
}
