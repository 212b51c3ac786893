import { expect } from "vitest";
import type { TestDatabase } from "./database.ts";

/** What each number has to be, counted as plainly as can be. An empty organization or project means all of them. */
const counted = `
  select 'state' as kind, '' as organization, '' as project, state::text as key, count(*) as number
  from authorizations group by state
  union all select 'state', organization_id, '', state::text, count(*)
  from authorizations group by organization_id, state
  union all select 'state', organization_id, project_id, state::text, count(*)
  from authorizations group by organization_id, project_id, state
  union all select 'role', a.organization_id, a.project_id, h.role_key::text, count(*)
  from authorization_roles h join authorizations a on a.id = h.authorization_id
  group by a.organization_id, a.project_id, h.role_key`;

const kept = `
  select kind::text, organization_id, project_id, key, sum(number)
  from numbers group by 1, 2, 3, 4 having sum(number) <> 0`;

const views = "select kind::text, organization_id, project_id, key, number from counted_numbers";

const differences = (what: string, numbers: string) => `
    (select 'too much: ${what}' as wrong, t.* from (${numbers} except all (${counted})) t)
    union all
    (select 'too little: ${what}', t.* from (${counted} except all (${numbers})) t)`;

/**
 * Fails unless every number is what counting gives, those of the views as well, and every change date is in its order.
 */
export async function expectNumbersTrue(database: Pick<TestDatabase, "query">): Promise<void> {
  expect(await database.query(differences("kept", kept))).toEqual([]);
  expect(await database.query(differences("views", views))).toEqual([]);
  const dates = (table: string) =>
    database.query(`select id, organization_id, project_id, change_date from ${table} order by id`);
  expect(await dates("authorization_change_dates")).toEqual(await dates("authorizations"));
}
