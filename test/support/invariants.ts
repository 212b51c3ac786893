import { expect } from "vitest";
import type { TestDatabase } from "./database.ts";

/**
 * What holds at any moment, whatever came before (docs/reference/directory.md and "Events"). Each is a query
 * for what breaks it.
 */
const broken: Record<string, string> = {
  "an authorization points at something missing": `
    select a.id from authorizations a
    left join users u on u.id = a.user_id
    left join projects p on p.id = a.project_id
    left join organizations o on o.id = a.organization_id
    left join project_grants g
      on g.id = a.project_grant_id and g.project_id = a.project_id and g.organization_id = a.organization_id
    where u.id is null or p.id is null or o.id is null
      or (a.project_grant_id = '') <> (p.organization_id = a.organization_id)
      or (a.project_grant_id <> '' and g.id is null)`,
  "an authorization has another name than its user": `
    select a.id, a.user_name from authorizations a join users u on u.id = a.user_id
    where a.user_name <> fold_case(u.display_name)`,
  "a role is held that is not defined or not granted": `
    select h.authorization_id, h.role_key
    from authorization_roles h
    join authorizations a on a.id = h.authorization_id
    left join project_roles r on r.project_id = a.project_id and r.key = h.role_key
    left join project_grant_roles k on k.project_grant_id = a.project_grant_id and k.role_key = h.role_key
    where r.key is null or (a.project_grant_id <> '' and k.role_key is null)
      or h.project_id <> a.project_id or h.project_grant_id <> a.project_grant_id`,
  "the last event is not what the authorization is": `
    select a.id, a.state, a.creation_date, a.change_date, a.keys, e.type, e.state, e.time, e.role_keys
    from (
      select *, array(
        select role_key::text from authorization_roles h where h.authorization_id = authorizations.id
        order by role_key) as keys
      from authorizations) a
    left join lateral (
      select * from events e where e.authorization_id = a.id order by sequence desc limit 1) e on true
    where e.time is distinct from case e.type when 'user.grant.added' then a.creation_date else a.change_date end or e.role_keys is distinct from a.keys
      or e.state is distinct from a.state or e.user_id <> a.user_id or e.project_id <> a.project_id
      or e.organization_id <> a.organization_id or e.project_grant_id <> a.project_grant_id`,
  "an authorization is gone without an event": `
    select id from (select distinct on (authorization_id) authorization_id as id, type from events
      order by authorization_id, sequence desc) e
    where type not in ('user.grant.removed', 'user.grant.cascade.removed')
      and id not in (select id from authorizations)`,
  "the time of an event is not later than the one before it": `
    select * from (
      select authorization_id, sequence, time, lag(time) over (partition by authorization_id order by sequence) as before
      from events) e
    where time <= before and time < '9999-12-31 23:59:59.999999Z'`,
  "an event does not follow from the one before it": `
    select * from (
      select authorization_id, sequence, type, state, role_keys, expiration_date,
        lag(type) over one as type_before, lag(state) over one as state_before, lag(role_keys) over one as keys_before
      from events window one as (partition by authorization_id order by sequence)) e
    where (type <> 'user.grant.added' and state_before is null)
      or (type = 'user.grant.deactivated'
        and (state <> 'inactive' or (state_before <> 'active' and expiration_date is null)))
      or (type = 'user.grant.expired'
        and (state_before <> 'active' or state <> 'inactive' or role_keys <> keys_before or expiration_date is null))
      or (type = 'user.grant.reactivated' and (state_before <> 'inactive' or state <> 'active'))
      or (type in ('user.grant.deactivated', 'user.grant.reactivated') and role_keys <> keys_before)
      or (type = 'user.grant.cascade.changed'
        and (state <> state_before or cardinality(role_keys) >= cardinality(keys_before)))`,
  "a change date is earlier than the creation date": `
    select id from authorizations where change_date < creation_date`,
};

export async function expectInvariants(database: TestDatabase): Promise<void> {
  const found: Record<string, unknown> = {};
  for (const [what, query] of Object.entries(broken)) {
    const rows = await database.query(query);
    if (rows.length > 0) found[what] = rows.slice(0, 3);
  }
  expect(found).toEqual({});
}
