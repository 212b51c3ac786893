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
create index authorizations_by_project on authorizations (project_id, id);
create index authorizations_by_organization on authorizations (organization_id, id);
create index authorizations_by_user_organization on authorizations (user_organization_id, id);
create index authorizations_in_organization_by_creation on authorizations (organization_id, creation_date, id);
create index authorizations_in_organization_by_user on authorizations (organization_id, user_id, id);
create index authorizations_in_organization_by_user_organization
  on authorizations (organization_id, user_organization_id, id);
create index authorizations_in_place on authorizations (organization_id, project_id, id);
create index authorizations_in_place_by_creation on authorizations (organization_id, project_id, creation_date, id);
create index authorizations_in_place_by_user on authorizations (organization_id, project_id, user_id, id);
create index authorizations_in_place_by_user_organization
  on authorizations (organization_id, project_id, user_organization_id, id);
-- These find all there is; with few different values they stay small.
create index authorizations_by_state on authorizations (state, organization_id, project_id);
create index authorizations_of_owned_project on authorizations (owned_project_id) where owned_project_id is not null;
create index authorizations_of_grant on authorizations (granted_by) where granted_by is not null;

-- The order of change dates is kept beside the authorizations, because an index here would make every change of roles
-- write to all indexes: a row of which no indexed column changes stays where it is, when its page has room.
alter table authorizations set (fillfactor = 90);
create table authorization_change_dates (
  id identifier primary key references authorizations (id) on delete cascade,
  organization_id identifier not null,
  project_id identifier not null,
  change_date instant not null
);
create function add_change_dates() returns trigger language plpgsql as $$
begin
  insert into authorization_change_dates select id, organization_id, project_id, change_date from added;
  return null;
end $$;
create trigger authorizations_add_change_dates after insert on authorizations
  referencing new table as added for each statement execute function add_change_dates();
create function move_change_date() returns trigger language plpgsql as $$
begin
  update authorization_change_dates
  set organization_id = new.organization_id, project_id = new.project_id, change_date = new.change_date
  where id = new.id;
  return null;
end $$;
create trigger authorizations_move_change_date after update on authorizations for each row
  when ((old.change_date, old.organization_id, old.project_id)
    is distinct from (new.change_date, new.organization_id, new.project_id))
  execute function move_change_date();
insert into authorization_change_dates select id, organization_id, project_id, change_date from authorizations;
-- For whoever has switched the triggers off.
create function restore_change_dates() returns void language sql as $$
  insert into authorization_change_dates as c (id, organization_id, project_id, change_date)
  select id, organization_id, project_id, change_date from authorizations
  on conflict (id) do update set
    organization_id = excluded.organization_id, project_id = excluded.project_id, change_date = excluded.change_date
  where (c.organization_id, c.project_id, c.change_date)
    is distinct from (excluded.organization_id, excluded.project_id, excluded.change_date);
$$;
create index authorization_change_dates_in_order on authorization_change_dates (change_date, id);
create index authorization_change_dates_in_organization
  on authorization_change_dates (organization_id, change_date, id);
create index authorization_change_dates_in_place
  on authorization_change_dates (organization_id, project_id, change_date, id);

-- So that Postgres puts what the function does in the place of its call, which is several times as fast.
alter function fold_case(text) called on null input;

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
  slot integer not null,
  count bigint not null,
  primary key (project_id, organization_id, state, slot)
) with (fillfactor = 50);

-- A writer adds to the slot that it holds a lock on until its transaction ends: the first one that is free. So none waits
-- for another, and there are no more slots than there ever were writers at once.
create function hold_count_slot() returns integer language plpgsql as $$
declare
  slot integer := 0;
begin
  while not pg_try_advisory_xact_lock(720638141, slot) loop
    slot := slot + 1;
  end loop;
  return slot;
end $$;

create function count_rows() returns trigger language plpgsql as $$
begin
  insert into authorization_counts as c (project_id, organization_id, state, slot, count)
  select coalesce(project_id, ''), coalesce(organization_id, ''), state, hold_count_slot(),
    case tg_op when 'INSERT' then count(*) else -count(*) end
  from touched
  group by grouping sets ((state), (state, organization_id), (state, organization_id, project_id))
  on conflict (project_id, organization_id, state, slot) do update set count = c.count + excluded.count;
  return null;
end $$;
create function count_changed() returns trigger language plpgsql as $$
begin
  insert into authorization_counts as c (project_id, organization_id, state, slot, count)
  select coalesce(project_id, ''), coalesce(organization_id, ''), state, hold_count_slot(), sum(number)
  from (
    select project_id, organization_id, state, 1 as number from added
    union all
    select project_id, organization_id, state, -1 from removed) changed
  group by grouping sets ((state), (state, organization_id), (state, organization_id, project_id))
  having sum(number) <> 0
  on conflict (project_id, organization_id, state, slot) do update set count = c.count + excluded.count;
  return null;
end $$;
create trigger authorizations_count_added after insert on authorizations
  referencing new table as touched for each statement execute function count_rows();
create trigger authorizations_count_removed after delete on authorizations
  referencing old table as touched for each statement execute function count_rows();
create trigger authorizations_count_changed after update on authorizations
  referencing old table as removed new table as added for each statement execute function count_changed();

-- Counts everything anew: for what was here before, and for whoever has switched the triggers off.
create function recount_authorizations() returns void language sql as $$
  lock table authorizations in share row exclusive mode;
  delete from authorization_counts;
  insert into authorization_counts (project_id, organization_id, state, slot, count)
  select coalesce(project_id, ''), coalesce(organization_id, ''), state, 0, count(*)
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
