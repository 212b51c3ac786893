import { expect } from "vitest";
import type { TestDatabase } from "./database.ts";

/** What each number has to be, counted as plainly as can be. An empty organization or project means all of them. */
const counted = `
  with a as (
    select a.*, to_char(creation_date at time zone 'UTC', 'YYYY-MM-DD') as day from authorizations a
  ), held as (
    select a.organization_id, a.project_id, h.role_key::text as role_key
    from authorization_roles h join authorizations a on a.id = h.authorization_id
  )
  select 'state' as kind, '' as organization, '' as project, state::text as key, count(*) as number
  from a group by state
  union all select 'state', organization_id, '', state::text, count(*) from a group by organization_id, state
  union all select 'state', organization_id, project_id, state::text, count(*)
  from a group by organization_id, project_id, state
  union all select 'project', '', project_id, '', count(*) from a group by project_id
  union all select 'day', '', '', day, count(*) from a group by day
  union all select 'day', organization_id, '', day, count(*) from a group by organization_id, day
  union all select 'day', organization_id, project_id, day, count(*) from a group by organization_id, project_id, day
  union all select 'role', '', '', '', count(*) from held having count(*) > 0
  union all select 'role', organization_id, '', '', count(*) from held group by organization_id
  union all select 'role', organization_id, project_id, role_key, count(*)
  from held group by organization_id, project_id, role_key`;

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
 * And a slot with a number of a place or a project has one of the whole instance.
 */
export async function expectNumbersTrue(database: Pick<TestDatabase, "query">): Promise<void> {
  expect(await database.query(differences("kept", kept))).toEqual([]);
  expect(await database.query(differences("views", views))).toEqual([]);
  const strayed = await database.query(`
    select distinct slot from numbers
    where kind in ('state', 'project') and slot > (
      select max(slot) from numbers where kind = 'state' and organization_id = '' and project_id = '')`);
  expect(strayed).toEqual([]);
  const dates = (table: string) =>
    database.query(`select id, organization_id, project_id, change_date from ${table} order by id`);
  expect(await dates("authorization_change_dates")).toEqual(await dates("authorizations"));
}
