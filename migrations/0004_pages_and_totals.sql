-- What keeps a page and its total cheap however many authorizations there are (docs/performance.md).

-- Finds a part of a text by the groups of three characters in it. It comes with PostgreSQL.
create extension if not exists pg_trgm;

-- The organization of the user is kept with the authorization too, so that an index can sort by it. The reference
-- takes it along when the user moves.
alter table users add unique (id, organization_id);
alter table authorizations add column user_organization_id identifier;
update authorizations a set user_organization_id = u.organization_id from users u where u.id = a.user_id;
alter table authorizations
  alter column user_organization_id set not null,
  add foreign key (user_id, user_organization_id) references users (id, organization_id) on update cascade;

-- Writers that do not know the column need not.
create function fill_user_organization() returns trigger language plpgsql as $$
begin
  select organization_id into new.user_organization_id from users where id = new.user_id;
  if not found then
    raise foreign_key_violation using message = 'the user of an authorization does not exist';
  end if;
  return new;
end $$;
create trigger authorizations_fill_user_organization before insert on authorizations
  for each row when (new.user_organization_id is null) execute function fill_user_organization();

-- One index for each order in which all authorizations, those in an organization, and those in one place (a project in
-- an organization) are listed. Each ends in the id, so that a page is read from the index alone. What is sorted by the
-- user is told apart by the user's few rows.
drop index authorizations_of_organization, authorizations_of_owned_project, authorizations_of_grant;
create index authorizations_by_change on authorizations (change_date, id);
create index authorizations_by_project on authorizations (project_id, id);
create index authorizations_by_organization on authorizations (organization_id, id);
create index authorizations_by_user_organization on authorizations (user_organization_id, id);
create index authorizations_in_organization_by_creation on authorizations (organization_id, creation_date, id);
create index authorizations_in_organization_by_change on authorizations (organization_id, change_date, id);
create index authorizations_in_organization_by_user on authorizations (organization_id, user_id, id);
create index authorizations_in_organization_by_user_organization
  on authorizations (organization_id, user_organization_id, id);
create index authorizations_in_place on authorizations (organization_id, project_id, id);
create index authorizations_in_place_by_creation on authorizations (organization_id, project_id, creation_date, id);
create index authorizations_in_place_by_change on authorizations (organization_id, project_id, change_date, id);
create index authorizations_in_place_by_user on authorizations (organization_id, project_id, user_id, id);
create index authorizations_in_place_by_user_organization
  on authorizations (organization_id, project_id, user_organization_id, id);
-- These find all there is; with few different values they stay small.
create index authorizations_by_state on authorizations (state, organization_id, project_id);
create index authorizations_of_owned_project on authorizations (owned_project_id) where owned_project_id is not null;
create index authorizations_of_grant on authorizations (granted_by) where granted_by is not null;

-- Texts are found by their folded form; where the case counts, what is found is compared once more.
create index users_by_login_name on users (fold_case(preferred_login_name));
create index users_by_display_name on users (fold_case(display_name));
create index users_by_part_of_name on users
  using gin (fold_case(preferred_login_name) gin_trgm_ops, fold_case(display_name) gin_trgm_ops);
create index projects_by_name on projects (fold_case(name));
create index projects_by_part_of_name on projects using gin (fold_case(name) gin_trgm_ops);
create index project_roles_by_key on project_roles (fold_case(key));
create index project_roles_by_part_of_key on project_roles using gin (fold_case(key) gin_trgm_ops);

-- How many authorizations there are: of each state in each place, in each organization (project_id is '') and in all
-- (both are ''). A number is the sum over its slots.
create table authorization_counts (
  project_id text collate "C" not null,
  organization_id text collate "C" not null,
  state authorization_state not null,
  slot bigint generated always as identity,
  count bigint not null,
  primary key (project_id, organization_id, state, slot)
) with (fillfactor = 50);

-- Adds to a slot that nobody else has locked, or to a new one. So no writer waits for another, and a number has no more
-- slots than it ever had writers at once.
create function add_to_counts(
  projects text[], organizations text[], states authorization_state[], numbers bigint[])
  returns void language plpgsql as $$
begin
  with added as (
    select coalesce(project_id, '') collate "C" as project_id, coalesce(organization_id, '') collate "C" as organization_id,
      state, sum(number) as number
    from unnest(projects, organizations, states, numbers) as n (project_id, organization_id, state, number)
    group by grouping sets ((state), (state, organization_id), (state, organization_id, project_id))
    having sum(number) <> 0
  ), slotted as materialized (
    select a.*, (
      select c.slot
      from authorization_counts c
      where c.project_id = a.project_id and c.organization_id = a.organization_id and c.state = a.state
      limit 1
      for no key update skip locked) as slot
    from added a
  ), updated as (
    update authorization_counts c
    set count = c.count + s.number
    from slotted s
    where c.project_id = s.project_id and c.organization_id = s.organization_id and c.state = s.state and c.slot = s.slot
  )
  insert into authorization_counts (project_id, organization_id, state, count)
  select project_id, organization_id, state, number from slotted where slot is null;
end $$;

create function count_authorizations() returns trigger language plpgsql as $$
declare
  projects text[];
  organizations text[];
  states authorization_state[];
  numbers bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(project_id), array_agg(organization_id), array_agg(state), array_agg(number)
    into projects, organizations, states, numbers
    from (
      select project_id::text, organization_id::text, state, count(*) as number
      from added group by project_id, organization_id, state) n;
  elsif tg_op = 'DELETE' then
    select array_agg(project_id), array_agg(organization_id), array_agg(state), array_agg(number)
    into projects, organizations, states, numbers
    from (
      select project_id::text, organization_id::text, state, -count(*) as number
      from removed group by project_id, organization_id, state) n;
  else
    select array_agg(project_id), array_agg(organization_id), array_agg(state), array_agg(number)
    into projects, organizations, states, numbers
    from (
      select project_id::text, organization_id::text, state, sum(number)::bigint as number
      from (
        select project_id, organization_id, state, 1 as number from added
        union all
        select project_id, organization_id, state, -1 from removed) each
      group by project_id, organization_id, state
      having sum(number) <> 0) n;
  end if;
  if numbers is not null then
    perform add_to_counts(projects, organizations, states, numbers);
  end if;
  return null;
end $$;
create trigger authorizations_count_added after insert on authorizations
  referencing new table as added for each statement execute function count_authorizations();
create trigger authorizations_count_removed after delete on authorizations
  referencing old table as removed for each statement execute function count_authorizations();
create trigger authorizations_count_changed after update on authorizations
  referencing old table as removed new table as added for each statement execute function count_authorizations();

-- Counts everything anew: for what was here before, and for whoever has switched the triggers off.
create function recount_authorizations() returns void language sql as $$
  lock table authorizations in share row exclusive mode;
  delete from authorization_counts;
  insert into authorization_counts (project_id, organization_id, state, count)
  select coalesce(project_id, ''), coalesce(organization_id, ''), state, count(*)
  from authorizations
  group by grouping sets ((state), (state, organization_id), (state, organization_id, project_id));
$$;
create function recount_after_truncate() returns trigger language plpgsql as $$
begin
  perform recount_authorizations();
  return null;
end $$;
create trigger authorizations_count_truncated after truncate on authorizations
  for each statement execute function recount_after_truncate();
select recount_authorizations();

-- What is gone leaves no numbers behind. By then there is no authorization on it, and nobody can be adding one.
create function forget_counts() returns trigger language plpgsql as $$
begin
  case tg_table_name
    when 'projects' then
      delete from authorization_counts where project_id in (select id from gone);
    when 'project_grants' then
      delete from authorization_counts where (project_id, organization_id) in (
        select project_id, organization_id from gone);
    when 'organizations' then
      delete from authorization_counts where organization_id in (select id from gone);
  end case;
  return null;
end $$;
create trigger projects_forget_counts after delete on projects
  referencing old table as gone for each statement execute function forget_counts();
create trigger project_grants_forget_counts after delete on project_grants
  referencing old table as gone for each statement execute function forget_counts();
create trigger organizations_forget_counts after delete on organizations
  referencing old table as gone for each statement execute function forget_counts();
