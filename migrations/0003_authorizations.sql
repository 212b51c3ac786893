-- Authorizations, the roles they hold, and their history (docs/reference.md, "Changes" and "Events").

create type authorization_state as enum ('active', 'inactive');

-- What protobuf can express and Postgres can keep.
create domain instant as timestamptz
  check (value between '0001-01-01 00:00:00+00' and '9999-12-31 23:59:59.999999+00');

create table authorizations (
  id identifier primary key,
  user_id identifier not null references users (id),
  project_id identifier not null,
  -- The organization the authorization is in: the project's owner or the one the project is granted to.
  organization_id identifier not null,
  -- The grant it hangs on; empty when the organization owns the project.
  project_grant_id text collate "C" not null default '',
  state authorization_state not null default 'active',
  creation_date instant not null,
  change_date instant not null,
  -- The two columns below choose which of the two references must hold: a foreign key with a null is not checked.
  owned_project_id identifier generated always as (case when project_grant_id = '' then project_id end) stored,
  granted_by identifier generated always as (nullif(project_grant_id, '')) stored,
  foreign key (owned_project_id, organization_id) references projects (id, organization_id),
  foreign key (granted_by, project_id, organization_id) references project_grants (id, project_id, organization_id),
  unique (user_id, project_id, organization_id),
  unique (id, project_id, project_grant_id)
);
create index authorizations_by_creation on authorizations (creation_date, id);
create index authorizations_of_organization on authorizations (organization_id, creation_date, id);
create index authorizations_of_owned_project on authorizations (owned_project_id, creation_date, id)
  where owned_project_id is not null;
create index authorizations_of_grant on authorizations (granted_by, creation_date, id) where granted_by is not null;

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

-- Every effective change of an authorization, written in the transaction that made it.
create table events (
  sequence bigint generated always as identity primary key,
  authorization_id identifier not null,
  type text collate "C" not null check (type in (
    'user.grant.added', 'user.grant.changed', 'user.grant.deactivated', 'user.grant.reactivated',
    'user.grant.removed', 'user.grant.cascade.changed', 'user.grant.cascade.removed')),
  -- Equals the change date this change gave the authorization.
  time instant not null,
  -- The user whose call it was; null when it came from the command line.
  actor_id identifier,
  user_id identifier not null,
  project_id identifier not null,
  organization_id identifier not null,
  project_grant_id text collate "C" not null,
  -- What the authorization held after the change: nothing, in no state, once it is removed.
  role_keys text[] collate "C" not null,
  state authorization_state,
  check ((state is null) = (type in ('user.grant.removed', 'user.grant.cascade.removed')))
);
create index events_of_authorization on events (authorization_id, sequence);

create function refuse_to_rewrite_history() returns trigger language plpgsql as $$
begin
  raise exception 'events are never changed or deleted';
end $$;
create trigger events_are_final before update or delete or truncate on events
  for each statement execute function refuse_to_rewrite_history();
