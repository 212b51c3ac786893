-- Who may do what, and how callers prove who they are (docs/reference/permissions.md).

-- Each entry gives a user administrator roles in one scope. An entry without any scope column is on the instance.
create table administrators (
  user_id identifier not null references users (id) on delete cascade,
  organization_id identifier references organizations (id) on delete cascade,
  project_id identifier references projects (id) on delete cascade,
  project_grant_id identifier references project_grants (id) on delete cascade,
  roles text[] collate "C" not null check (cardinality(roles) > 0),
  check (num_nonnulls(organization_id, project_id, project_grant_id) <= 1),
  unique nulls not distinct (user_id, organization_id, project_id, project_grant_id)
);
create index administrators_of_instance on administrators (user_id)
  where num_nonnulls(organization_id, project_id, project_grant_id) = 0;
create index administrators_of_organization on administrators (organization_id) where organization_id is not null;
create index administrators_of_project on administrators (project_id) where project_id is not null;
create index administrators_of_project_grant on administrators (project_grant_id) where project_grant_id is not null;

-- Personal access tokens. Only the SHA-256 of a token is stored. A revoked token is deleted, and with it those made with
-- it.
create table tokens (
  id identifier primary key,
  user_id identifier not null references users (id) on delete cascade,
  hash bytea not null unique check (octet_length(hash) = 32),
  creation_date timestamptz not null default now(),
  -- Null for a token that never expires.
  expiration_date timestamptz,
  name text collate "C" not null default '' check (char_length(name) <= 200),
  -- The user who made it, even if that user has been removed; null for the command line.
  maker_id identifier,
  -- The token it was made with; null for the command line and for callers with a JWT.
  made_with identifier references tokens (id) on delete cascade,
  -- At most five minutes before the last use. Null for a token that was never used.
  last_use_date timestamptz
);
create index tokens_of_user on tokens (user_id, creation_date, id);
-- For the limit of unexpired tokens.
create index tokens_by_expiration on tokens (user_id, expiration_date);
create index tokens_made_with on tokens (made_with) where made_with is not null;
