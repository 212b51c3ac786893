-- More numbers are kept by triggers, so that an overview costs the same however many authorizations there are
-- (docs/reference.md, "Overview"; docs/performance.md). As with authorization_counts, a number is the sum over its
-- slots, and an empty id means all.

-- Waits for changes of the directory: they lock authorizations and their roles in another order than is done here.
select pg_advisory_xact_lock(7206381402113);

-- How many binary digits a number has; 0 unless it is positive.
create function magnitude_of(number integer) returns smallint language sql immutable parallel safe
  return case when number > 0 then 33 - position('1' in (number::bit(32))::text) else 0 end::smallint;

-- How many authorizations there are: in each place, in each organization, for each project, and in all. The largest
-- organizations and projects are found by their magnitude: it changes with few of the changes of a number, and the
-- others leave the indexes alone.
create table authorization_totals (
  organization_id text collate "C" not null,
  project_id text collate "C" not null,
  slot integer not null,
  count integer not null,
  magnitude smallint not null generated always as (magnitude_of(count)) stored,
  primary key (organization_id, project_id, slot)
) with (fillfactor = 50);
create index authorization_totals_of_organizations on authorization_totals (magnitude)
  where project_id = '' and organization_id <> '';
create index authorization_totals_of_projects on authorization_totals (magnitude)
  where organization_id = '' and project_id <> '';

-- How many were created on each day, in UTC: in each place, in each organization, and in all.
create table authorization_days (
  organization_id text collate "C" not null,
  project_id text collate "C" not null,
  day date not null,
  slot integer not null,
  count integer not null,
  primary key (organization_id, project_id, day, slot)
) with (fillfactor = 90);

-- How many hold each role in each place. And how many times any role is held: in each organization, and in all
-- (project_id and role_key are '').
create table authorization_role_counts (
  project_id text collate "C" not null,
  organization_id text collate "C" not null,
  role_key text collate "C" not null,
  slot integer not null,
  count integer not null,
  primary key (project_id, organization_id, role_key, slot)
) with (fillfactor = 50);

create function count_totals_and_days() returns trigger language plpgsql as $$
declare
  sign constant integer := case tg_op when 'INSERT' then 1 else -1 end;
  held constant integer := hold_count_slot();
begin
  insert into authorization_totals as c (organization_id, project_id, slot, count)
  select coalesce(organization_id, ''), coalesce(project_id, ''), held, sign * count(*)
  from touched
  group by grouping sets ((), (organization_id), (project_id), (organization_id, project_id))
  having count(*) > 0
  on conflict (organization_id, project_id, slot) do update set count = c.count + excluded.count;
  insert into authorization_days as c (organization_id, project_id, day, slot, count)
  select coalesce(organization_id, ''), coalesce(project_id, ''), day, held, sign * count(*)
  from (select organization_id, project_id, (creation_date at time zone 'UTC')::date as day from touched) created
  group by grouping sets ((day), (day, organization_id), (day, organization_id, project_id))
  on conflict (organization_id, project_id, day, slot) do update set count = c.count + excluded.count;
  return null;
end $$;
create function count_totals_and_days_changed() returns trigger language plpgsql as $$
declare
  held integer;
begin
  -- Next to no change is one of these.
  if not exists (
    select organization_id, project_id, (creation_date at time zone 'UTC')::date from added
    except all
    select organization_id, project_id, (creation_date at time zone 'UTC')::date from removed) then
    return null;
  end if;
  held := hold_count_slot();
  insert into authorization_totals as c (organization_id, project_id, slot, count)
  select coalesce(organization_id, ''), coalesce(project_id, ''), held, sum(number)
  from (
    select organization_id, project_id, 1 as number from added
    union all
    select organization_id, project_id, -1 from removed) changed
  group by grouping sets ((), (organization_id), (project_id), (organization_id, project_id))
  -- A slot that is used for any of them is there for all.
  having sum(number) <> 0 or grouping(organization_id, project_id) = 3
  on conflict (organization_id, project_id, slot) do update set count = c.count + excluded.count;
  insert into authorization_days as c (organization_id, project_id, day, slot, count)
  select coalesce(organization_id, ''), coalesce(project_id, ''), day, held, sum(number)
  from (
    select organization_id, project_id, (creation_date at time zone 'UTC')::date as day, 1 as number from added
    union all
    select organization_id, project_id, (creation_date at time zone 'UTC')::date, -1 from removed) changed
  group by grouping sets ((day), (day, organization_id), (day, organization_id, project_id))
  having sum(number) <> 0
  on conflict (organization_id, project_id, day, slot) do update set count = c.count + excluded.count;
  return null;
end $$;
create trigger authorizations_count_days_added after insert on authorizations
  referencing new table as touched for each statement execute function count_totals_and_days();
create trigger authorizations_count_days_removed after delete on authorizations
  referencing old table as touched for each statement execute function count_totals_and_days();
create trigger authorizations_count_days_changed after update on authorizations
  referencing old table as removed new table as added for each statement execute function count_totals_and_days_changed();

-- The organization a role is held in is the owner of the project, or the one of the grant. Where the authorization
-- goes too, it is gone by now; project and grant are not.
create function count_roles() returns trigger language plpgsql as $$
declare
  sign constant integer := case tg_op when 'INSERT' then 1 else -1 end;
  held integer;
begin
  -- A change of roles gives some and takes some, or only one of both.
  if not exists (select from touched) then
    return null;
  end if;
  held := hold_count_slot();
  insert into authorization_role_counts as c (project_id, organization_id, role_key, slot, count)
  select coalesce(project_id, ''), coalesce(organization_id, ''), coalesce(role_key, ''), held, sign * count(*)
  from (
    select coalesce(g.organization_id, p.organization_id) as organization_id, t.project_id, t.role_key
    from touched t
    join projects p on p.id = t.project_id
    left join project_grants g on g.id = nullif(t.project_grant_id, '')) given
  group by grouping sets ((), (organization_id), (organization_id, project_id, role_key))
  having count(*) > 0
  on conflict (project_id, organization_id, role_key, slot) do update set count = c.count + excluded.count;
  return null;
end $$;
create function count_roles_changed() returns trigger language plpgsql as $$
begin
  insert into authorization_role_counts as c (project_id, organization_id, role_key, slot, count)
  select coalesce(project_id, ''), coalesce(organization_id, ''), coalesce(role_key, ''), hold_count_slot(), sum(number)
  from (
    select coalesce(g.organization_id, p.organization_id) as organization_id, t.project_id, t.role_key, t.number
    from (
      select project_id, project_grant_id, role_key, 1 as number from added
      union all
      select project_id, project_grant_id, role_key, -1 from removed) t
    join projects p on p.id = t.project_id
    left join project_grants g on g.id = nullif(t.project_grant_id, '')) changed
  group by grouping sets ((), (organization_id), (organization_id, project_id, role_key))
  having sum(number) <> 0
  on conflict (project_id, organization_id, role_key, slot) do update set count = c.count + excluded.count;
  return null;
end $$;
create trigger authorization_roles_count_added after insert on authorization_roles
  referencing new table as touched for each statement execute function count_roles();
create trigger authorization_roles_count_removed after delete on authorization_roles
  referencing old table as touched for each statement execute function count_roles();
create trigger authorization_roles_count_changed after update on authorization_roles
  referencing old table as removed new table as added for each statement execute function count_roles_changed();

-- These count everything anew: for what was here before, and for whoever has switched the triggers off.
create or replace function recount_authorizations() returns void language sql as $$
  lock table authorizations in share row exclusive mode;
  delete from authorization_counts;
  insert into authorization_counts (project_id, organization_id, state, slot, count)
  select coalesce(project_id, ''), coalesce(organization_id, ''), state, 0, count(*)
  from authorizations
  group by grouping sets ((state), (state, organization_id), (state, organization_id, project_id));
  delete from authorization_totals;
  insert into authorization_totals (organization_id, project_id, slot, count)
  select coalesce(organization_id, ''), coalesce(project_id, ''), 0, count(*)
  from authorizations
  group by grouping sets ((), (organization_id), (project_id), (organization_id, project_id))
  having count(*) > 0;
  delete from authorization_days;
  insert into authorization_days (organization_id, project_id, day, slot, count)
  select coalesce(organization_id, ''), coalesce(project_id, ''), day, 0, count(*)
  from (select organization_id, project_id, (creation_date at time zone 'UTC')::date as day from authorizations) created
  group by grouping sets ((day), (day, organization_id), (day, organization_id, project_id))
  order by 1, 2, 3;
$$;
-- Apart, because not all writers lock authorizations first and their roles second.
create function recount_roles() returns void language sql as $$
  lock table authorization_roles in share row exclusive mode;
  delete from authorization_role_counts;
  insert into authorization_role_counts (project_id, organization_id, role_key, slot, count)
  select coalesce(project_id, ''), coalesce(organization_id, ''), coalesce(role_key, ''), 0, count(*)
  from (
    select coalesce(g.organization_id, p.organization_id) as organization_id, h.project_id, h.role_key
    from authorization_roles h
    join projects p on p.id = h.project_id
    left join project_grants g on g.id = h.granted_by) held
  group by grouping sets ((), (organization_id), (organization_id, project_id, role_key))
  having count(*) > 0;
$$;
create function recount_roles_after_truncate() returns trigger language plpgsql as $$
begin
  perform recount_roles();
  return null;
end $$;
create trigger authorization_roles_count_truncated after truncate on authorization_roles
  for each statement execute function recount_roles_after_truncate();
select recount_authorizations(), recount_roles();

-- What is gone leaves no numbers behind. An organization goes after its projects and grants, a project after its grants
-- and roles, with which the numbers of their holders went.
create or replace function forget_counts() returns trigger language plpgsql as $$
begin
  case tg_table_name
    when 'project_roles' then
      delete from authorization_role_counts c
      using (
        select p.organization_id, r.project_id, r.key from gone r join projects p on p.id = r.project_id
        union all
        select g.organization_id, r.project_id, r.key from gone r join project_grants g on g.project_id = r.project_id) r
      where c.project_id = r.project_id and c.organization_id = r.organization_id and c.role_key = r.key;
    when 'project_grants' then
      delete from authorization_counts where (project_id, organization_id) in (
        select project_id, organization_id from gone);
      delete from authorization_totals where (organization_id, project_id) in (
        select organization_id, project_id from gone);
      delete from authorization_days where (organization_id, project_id) in (
        select organization_id, project_id from gone);
      delete from authorization_role_counts where (project_id, organization_id) in (
        select project_id, organization_id from gone);
    when 'projects' then
      delete from authorization_counts where project_id in (select id from gone);
      delete from authorization_totals where organization_id = '' and project_id in (select id from gone);
      delete from authorization_totals where (organization_id, project_id) in (select organization_id, id from gone);
      delete from authorization_days where (organization_id, project_id) in (select organization_id, id from gone);
    when 'organizations' then
      delete from authorization_counts where organization_id in (select id from gone);
      delete from authorization_totals where organization_id in (select id from gone);
      delete from authorization_days where organization_id in (select id from gone);
      delete from authorization_role_counts where project_id = '' and organization_id in (select id from gone);
  end case;
  return null;
end $$;
create trigger project_roles_forget_counts after delete on project_roles
  referencing old table as gone for each statement execute function forget_counts();
