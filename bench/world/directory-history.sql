-- The history of the bench world's directory, in the order of time: every thing was added, half of the users were changed
-- later, and half have a token. A fifth came from the command line, another from who owns everything, the rest from the
-- owner of the organization.

create table bench.directory_history as
with happened as (
  select 'organization' as kind, id, '' as within, null as user_id, number as organization, 0 as changes,
    jsonb_build_object('id', id) as image, array['organization:' || id] as places
  from bench.organizations
  union all
  select 'user', s.user_id, '', s.user_id, s.organization, changes,
    jsonb_build_object('id', s.user_id, 'organizationId', s.organization_id), array['organization:' || s.organization_id]
  from bench.slots s cross join lateral generate_series(0, (s.n % 2)::integer) changes
  union all
  select 'token', md5('token' || n), '', user_id, organization, 0, jsonb_build_object('userId', user_id), '{}'
  from bench.slots where n % 4 < 2
  union all
  select 'project', id, '', null, organization, 0, jsonb_build_object('id', id),
    array['organization:' || organization_id, 'project:' || id]
  from bench.projects
  union all
  select 'projectRole', r.key, r.project_id, null, p.organization, 0, jsonb_build_object('key', r.key),
    array['organization:' || p.organization_id, 'project:' || p.id]
  from bench.roles r join bench.projects p on p.number = r.project
  union all
  select 'projectGrant', g.id, '', null, p.organization, 0, jsonb_build_object('id', g.id),
    array['organization:' || g.organization_id, 'grantOwner:' || g.owner_id, 'grantedProject:' || g.project_id,
      'projectGrant:' || g.id]
  from bench.grants g join bench.projects p on p.number = g.project
  union all
  select 'administrator', a.user_id, 'organization:' || coalesce(a.organization_id, ''), a.user_id, s.organization, 0,
    jsonb_build_object('userId', a.user_id),
    case when a.organization_id is null then '{}' else array['organization:' || a.organization_id] end
  from administrators a join bench.slots s on s.user_id = a.user_id
)
select (select coalesce(max(sequence), 0) from directory_events) + row_number() over (order by time) as sequence, h.*
from (
  select *, timestamptz '2024-01-01Z' + bench.chance(hashtext(id || within || changes), 40) * interval '700 days' as time
  from happened) h;

insert into directory_events (sequence, time, kind, id, within, user_id, actor_id, request_id, before, after)
overriding system value
select h.sequence, h.time, h.kind, h.id, h.within, h.user_id,
  case h.sequence % 5
    when 0 then null
    when 1 then (select user_id from bench.callers where kind = 'instance')
    else s.user_id end,
  gen_random_uuid(), case when h.changes > 0 then h.image || '{"displayName": "before"}' end, h.image
from bench.directory_history h
join bench.organizations o on o.number = h.organization
join bench.slots s on s.slot = o.first_slot
order by h.sequence;

insert into directory_event_places (kind, id, time, sequence)
select distinct split_part(place, ':', 1), split_part(place, ':', 2), h.time, h.sequence
from bench.directory_history h cross join unnest(h.places) as place;

select setval(pg_get_serial_sequence('directory_events', 'sequence'), (select max(sequence) from directory_events));

drop table bench.directory_history;
