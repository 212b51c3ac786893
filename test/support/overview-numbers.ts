import { expect } from "vitest";
import type { TestDatabase } from "./database.ts";

/** For each table of kept numbers, what it says of what it counts, and what counting says. */
const numbers: Record<string, { kept: string; counted: string }> = {
  totals: {
    kept: "select organization_id as o, project_id as p, sum(count)::integer as n from authorization_totals group by 1, 2",
    counted: `
      select '' as o, '' as p, count(*)::integer as n from authorizations
      union all select organization_id, '', count(*) from authorizations group by 1
      union all select '', project_id, count(*) from authorizations group by 2
      union all select organization_id, project_id, count(*) from authorizations group by 1, 2`,
  },
  days: {
    kept: `
      select organization_id as o, project_id as p, day::text as k, sum(count)::integer as n
      from authorization_days group by 1, 2, 3`,
    counted: `
      with created as (
        select organization_id, project_id, to_char(creation_date at time zone 'UTC', 'YYYY-MM-DD') as day
        from authorizations)
      select '' as o, '' as p, day as k, count(*)::integer as n from created group by 3
      union all select organization_id, '', day, count(*) from created group by 1, 3
      union all select organization_id, project_id, day, count(*) from created group by 1, 2, 3`,
  },
  roles: {
    kept: `
      select organization_id as o, project_id as p, role_key as k, sum(count)::integer as n
      from authorization_role_counts group by 1, 2, 3`,
    counted: `
      with held as (
        select a.organization_id, h.project_id, h.role_key
        from authorization_roles h join authorizations a on a.id = h.authorization_id)
      select '' as o, '' as p, '' as k, count(*)::integer as n from held
      union all select organization_id, '', '', count(*) from held group by 1
      union all select organization_id, project_id, role_key, count(*) from held group by 1, 2, 3`,
  },
};

const differences = Object.entries(numbers).map(
  ([name, { kept, counted }]) => `
    select '${name}' as what, coalesce(k.t, c.t) as number, k.t is not null as is_kept
    from (select to_json(t)::text as t from (${kept}) t where n <> 0) k
    full join (select to_json(t)::text as t from (${counted}) t where n <> 0) c on c.t = k.t
    where k.t is null or c.t is null`,
);

/** Compares every number that is kept for overviews with what counting gives, and every slot with those of all. */
export async function expectOverviewNumbersTrue(database: Pick<TestDatabase, "query">): Promise<void> {
  const wrong = await database.query(`
    ${differences.join(" union all ")}
    union all
    select distinct 'a slot that all does not have', slot::text, true from authorization_totals
    where slot not in (select slot from authorization_totals where organization_id = '' and project_id = '')`);
  expect(wrong).toEqual([]);
}
