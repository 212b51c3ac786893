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

-- Personal access tokens. Only the SHA-256 of a token is stored. A revoked token is deleted.
create table tokens (
  id identifier primary key,
  user_id identifier not null references users (id) on delete cascade,
  hash bytea not null unique check (octet_length(hash) = 32),
  creation_date timestamptz not null default now(),
  -- Null for a token that never expires.
  expiration_date timestamptz
);
create index tokens_of_user on tokens (user_id);
