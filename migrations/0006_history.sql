-- What keeps the history of all authorizations cheap to look at (docs/reference.md, "History"). Every index costs every
-- change, so there is one for each way in which a page is found, and none for what another finds as well.

-- For who sees everything: without a filter, by type, and by time. Newest first is the last of each of the seven types.
create index events_by_type on events (type, time, sequence);
-- For administrators of an organization.
create index events_in_organization on events (organization_id, time, sequence);
-- For administrators of projects and of project grants, and for who looks for a project: the places that a project ever
-- had are known from the numbers below.
create index events_in_place on events (organization_id, project_id, project_grant_id, time, sequence);
-- For everybody's own, and for who looks for a user.
create index events_of_user on events (user_id, time, sequence);
-- For who looks for what somebody did; of the command line the actor is null.
create index events_by_actor on events (actor_id, time, sequence);

-- How many events of each type there are: in each place, in each organization (project_id is '') and in all (both are
-- ''). Those of a project in its owner have the project_grant_id ''. A number is the sum over its slots, as in
-- authorization_counts. Events are never removed, so numbers only grow, and outlive what they are about.
create table event_counts (
  project_id text collate "C" not null,
  organization_id text collate "C" not null,
  project_grant_id text collate "C" not null,
  type text collate "C" not null,
  slot integer not null,
  count bigint not null,
  primary key (project_id, organization_id, project_grant_id, type, slot)
) with (fillfactor = 50);

create function count_events() returns trigger language plpgsql as $$
begin
  insert into event_counts as c (project_id, organization_id, project_grant_id, type, slot, count)
  select coalesce(project_id, ''), coalesce(organization_id, ''), coalesce(project_grant_id, ''), type,
    hold_count_slot(), count(*)
  from added
  group by grouping sets ((type), (type, organization_id), (type, organization_id, project_id, project_grant_id))
  on conflict (project_id, organization_id, project_grant_id, type, slot) do update
    set count = c.count + excluded.count;
  return null;
end $$;
create trigger events_count_added after insert on events
  referencing new table as added for each statement execute function count_events();

-- Counts everything anew: for what was here before, and for whoever has switched the triggers off. Whoever appends an
-- event meanwhile waits to count it.
create function recount_events() returns void language sql as $$
  lock table event_counts in share row exclusive mode;
  delete from event_counts;
  insert into event_counts (project_id, organization_id, project_grant_id, type, slot, count)
  select coalesce(project_id, ''), coalesce(organization_id, ''), coalesce(project_grant_id, ''), type, 0, count(*)
  from events
  group by grouping sets ((type), (type, organization_id), (type, organization_id, project_id, project_grant_id));
$$;
select recount_events();
