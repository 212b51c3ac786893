-- Authorizations and the roles they hold (docs/reference/changes.md), and what keeps a page of them cheap however many
-- there are (docs/internals/how-lists-stay-fast.md).

create type authorization_state as enum ('active', 'inactive');

-- What protobuf can express and Postgres can keep.
create domain instant as timestamptz
  check (value between '0001-01-01 00:00:00+00' and '9999-12-31 23:59:59.999999+00');

create table authorizations (
  id identifier primary key,
  user_id identifier not null,
  -- The organization of the user is kept here too, so that an index can sort by it. The reference takes it along when
  -- the user moves.
  user_organization_id identifier not null,
  project_id identifier not null,
  -- The organization the authorization is in: the project's owner or the one the project is granted to.
  organization_id identifier not null,
  -- The grant it depends on; empty if the organization owns the project.
  project_grant_id text collate "C" not null default '',
  state authorization_state not null default 'active',
  creation_date instant not null,
  change_date instant not null,
  -- The first moment at which it is no longer active; null if it doesn't end. Before 9999-12-31, so lists can sort the
  -- others behind.
  expiration_date instant check (expiration_date > '0001-01-01Z' and expiration_date < '9999-12-31Z'),
  -- Whether it is inactive only because its end has passed. From that moment on, every statement shows the active ones as
  -- ended (src/postgres/pool/expiry.ts), while the server writes it a little later.
  expired boolean not null default false,
  -- The folded display name of the user, so that an index can sort by it. Triggers below keep it: a user has few
  -- authorizations. A project or an organization may have a million, so their names are not kept here.
  user_name text collate "C" not null,
  -- The two columns below choose which of the two references must hold: a foreign key with a null is not checked.
  owned_project_id identifier generated always as (case when project_grant_id = '' then project_id end) stored,
  granted_by identifier generated always as (nullif(project_grant_id, '')) stored,
  foreign key (user_id, user_organization_id) references users (id, organization_id) on update cascade,
  foreign key (owned_project_id, organization_id) references projects (id, organization_id),
  foreign key (granted_by, project_id, organization_id) references project_grants (id, project_id, organization_id),
  unique (user_id, project_id, organization_id),
  unique (id, project_id, project_grant_id),
  check (not expired or (state = 'inactive' and expiration_date is not null))
) with (fillfactor = 90);

-- One index for each order in which all authorizations, those in an organization, and those in one place (a project in
-- an organization) are listed. Each ends in the id, so that a page is read from the index alone. What is sorted by the
-- user is told apart by the user's few rows.
create index authorizations_by_creation on authorizations (creation_date, id);
create index authorizations_by_project on authorizations (project_id, id);
create index authorizations_by_organization on authorizations (organization_id, id);
create index authorizations_by_user_organization on authorizations (user_organization_id, id);
create index authorizations_by_user_name on authorizations (user_name, id);
create index authorizations_in_organization_by_creation on authorizations (organization_id, creation_date, id);
create index authorizations_in_organization_by_user on authorizations (organization_id, user_id, id);
create index authorizations_in_organization_by_user_organization
  on authorizations (organization_id, user_organization_id, id);
create index authorizations_in_organization_by_user_name on authorizations (organization_id, user_name, id);
create index authorizations_in_place on authorizations (organization_id, project_id, id);
create index authorizations_in_place_by_creation on authorizations (organization_id, project_id, creation_date, id);
create index authorizations_in_place_by_user on authorizations (organization_id, project_id, user_id, id);
create index authorizations_in_place_by_user_organization
  on authorizations (organization_id, project_id, user_organization_id, id);
create index authorizations_in_place_by_user_name on authorizations (organization_id, project_id, user_name, id);
-- These find everything there is. They have few different values and stay small.
create index authorizations_by_state on authorizations (state, organization_id, project_id);
-- Those with an end, in the same orders as above. Few have one.
create index authorizations_by_expiration on authorizations (expiration_date, id) where expiration_date is not null;
create index authorizations_in_organization_by_expiration on authorizations (organization_id, expiration_date, id)
  where expiration_date is not null;
create index authorizations_in_place_by_expiration on authorizations (organization_id, project_id, expiration_date, id)
  where expiration_date is not null;
-- Those that will end. Almost always none of them is due.
create index authorizations_due on authorizations (expiration_date)
  where state = 'active' and expiration_date is not null;
create index authorizations_of_owned_project on authorizations (owned_project_id) where owned_project_id is not null;
create index authorizations_of_grant on authorizations (granted_by) where granted_by is not null;
-- Users who have an authorization in an organization without belonging to it: an organization's administrators see them
-- in addition to its users.
create index authorizations_of_guests on authorizations (organization_id, user_id, user_organization_id)
  where user_organization_id <> organization_id;

-- Statements that may have waited for the user since their snapshot leave the name out. This reads it again.
create function take_user_name() returns trigger language plpgsql as $$
begin
  select fold_case(display_name) into new.user_name from users where id = new.user_id for key share;
  -- The reference refuses a user who is missing.
  new.user_name := coalesce(new.user_name, '');
  return new;
end $$;
create trigger authorizations_take_user_name before insert on authorizations
  for each row when (new.user_name is null) execute function take_user_name();

-- Runs right before the commit, so that a long import that renames a user blocks changes for that user only at its end.
-- Every transaction that adds an authorization shares a lock on its user. Holding that lock alone means that all
-- authorizations with the old name are visible here, and that later ones get the new name.
--
-- A transaction that holds one of these locks may be waiting for one that this transaction holds. So this one lets go
-- after a while and tries again. The settings have rows looked up by their user, as in 0005_numbers.
create function keep_user_name() returns trigger language plpgsql
set lock_timeout = '100ms' set enable_seqscan = off as $$
declare
  folded constant text := fold_case(new.display_name);
begin
  loop
    begin
      perform from users where id = new.id for update;
      update authorizations set user_name = folded where user_id = new.id and user_name <> folded;
      return null;
    exception when lock_not_available then null;
    end;
  end loop;
end $$;
create constraint trigger users_keep_user_name after update on users deferrable initially deferred
  for each row when (fold_case(old.display_name) <> fold_case(new.display_name)) execute function keep_user_name();

-- Copies all names again, for when triggers were off.
create function restore_user_names() returns void language sql as $$
  update authorizations a set user_name = fold_case(u.display_name)
  from users u
  where u.id = a.user_id and a.user_name <> fold_case(u.display_name);
$$;

create table authorization_roles (
  authorization_id identifier not null,
  project_id identifier not null,
  project_grant_id text collate "C" not null,
  role_key identifier not null,
  granted_by identifier generated always as (nullif(project_grant_id, '')) stored,
  primary key (authorization_id, role_key),
  foreign key (authorization_id, project_id, project_grant_id)
    references authorizations (id, project_id, project_grant_id) on delete cascade,
  -- Every role is one of the project's, and on a grant also one of the grant's.
  foreign key (project_id, role_key) references project_roles (project_id, key),
  foreign key (granted_by, role_key) references project_grant_roles (project_grant_id, role_key)
);
create index authorization_roles_by_role on authorization_roles (project_id, role_key);
create index authorization_roles_by_granted_role on authorization_roles (granted_by, role_key)
  where granted_by is not null;

-- The order of change dates is kept beside the authorizations: an index there would make every change of roles write to
-- all indexes, while a row of which no indexed column changes stays where it is if its page has room. Every change of an
-- authorization keeps it in the same transaction, so it needs no reference.
create table authorization_change_dates (
  id identifier primary key,
  organization_id identifier not null,
  project_id identifier not null,
  change_date instant not null
);
create index authorization_change_dates_in_order on authorization_change_dates (change_date, id);
create index authorization_change_dates_in_organization
  on authorization_change_dates (organization_id, change_date, id);
create index authorization_change_dates_in_place
  on authorization_change_dates (organization_id, project_id, change_date, id);
