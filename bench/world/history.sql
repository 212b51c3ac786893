-- The history of the bench world, in the order of time: every authorization was added, and those that were changed have
-- one more event. One of twenty was there before, under another id, and was removed. A fifth came from the command line,
-- another from who owns everything, the rest from the owner of the organization.

insert into events (
  authorization_id, type, time, actor_id, user_id, project_id, organization_id, project_grant_id, role_keys, state,
  creation_date, role_keys_before, state_before, creation_date_before, request_id)
with happened as (
  select id as authorization_id, 'user.grant.added' as type, creation_date as time,
    'active'::authorization_state as state, null::authorization_state as state_before, creation_date as created,
    user_id, project_id, organization_id, project_grant_id, role_keys
  from bench.authorizations
  union all
  select id, case state when 'active' then 'user.grant.changed' else 'user.grant.deactivated' end, change_date, state,
    'active', creation_date, user_id, project_id, organization_id, project_grant_id, role_keys
  from bench.authorizations
  where change_date > creation_date
  union all
  select 'was-' || id, earlier.type, creation_date - earlier.before, earlier.state, earlier.state_before,
    creation_date - interval '2 days', user_id, project_id, organization_id, project_grant_id, role_keys
  from bench.authorizations
  cross join lateral (values
    ('user.grant.added', interval '2 days', 'active'::authorization_state, null::authorization_state),
    (case when hashtext(id) % 1000 = 0 then 'user.grant.cascade.removed' else 'user.grant.removed' end,
      interval '1 day', null, 'active')) as earlier (type, before, state, state_before)
  where hashtext(id) % 20 = 0
)
select h.authorization_id, h.type, h.time,
  case abs(hashtext(h.authorization_id || h.type)) % 5
    when 0 then null
    when 1 then (select user_id from bench.callers where kind = 'instance')
    else s.user_id end,
  h.user_id, h.project_id, h.organization_id, h.project_grant_id,
  case when h.state is null then '{}' else sorted.keys end, h.state, case when h.state is not null then h.created end,
  case when h.state_before is null then '{}' else sorted.keys end, h.state_before,
  case when h.state_before is not null then h.created end, gen_random_uuid()
from happened h
cross join lateral (select array(select key from unnest(h.role_keys) as key order by key) as keys) sorted
join bench.organizations o on o.id = h.organization_id
join bench.slots s on s.slot = o.first_slot
order by h.time;
