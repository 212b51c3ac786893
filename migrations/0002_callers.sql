-- Who may do what, and how callers prove who they are (docs/reference/permissions.md).

-- Each entry gives a user administrator roles in one scope. An entry without any scope column is on the instance.
create table administrators (
  user_id identifier not null references users (id) on delete cascade,
  organization_id identifier references organizations (id) on delete cascade,
  project_id identifier references projects (id) on delete cascade,
  project_grant_id identifier references project_grants (id) on delete cascade,
  roles text[] collate "C" not null check (cardinality(roles) > 0),
  -- The organization that the scope is in: the organization itself, the owner of the project, or the one that the project
  -- is granted to. Null for the instance. A trigger sets it, and it never changes.
  home_id identifier,
  -- The kind of scope and its id. Lists are sorted by user, then by this.
  scope text collate "C" not null generated always as (
    case
      when organization_id is not null then '1' || organization_id::text
      when project_id is not null then '2' || project_id::text
      when project_grant_id is not null then '3' || project_grant_id::text
      else '0'
    end) stored,
  check (num_nonnulls(organization_id, project_id, project_grant_id) <= 1),
  unique nulls not distinct (user_id, organization_id, project_id, project_grant_id)
);
create index administrators_of_instance on administrators (user_id)
  where num_nonnulls(organization_id, project_id, project_grant_id) = 0;
create index administrators_of_organization on administrators (organization_id) where organization_id is not null;
create index administrators_of_project on administrators (project_id) where project_id is not null;
create index administrators_of_project_grant on administrators (project_grant_id) where project_grant_id is not null;
-- One for each way to find a page of entries: all of them or those of a user, those in an organization, those in one
-- scope, and those with a role.
create index administrators_in_order on administrators (user_id, scope);
create index administrators_in_home on administrators (home_id, user_id, scope) where home_id is not null;
create index administrators_in_scope on administrators (scope, user_id);
create index administrators_by_role on administrators using gin (roles);

create function take_home() returns trigger language plpgsql as $$
begin
  -- The references refuse a project or a grant that is missing.
  new.home_id := case
    when new.organization_id is not null then new.organization_id
    when new.project_id is not null then (select organization_id from projects where id = new.project_id)
    when new.project_grant_id is not null then (
      select organization_id from project_grants where id = new.project_grant_id)
  end;
  return new;
end $$;
create trigger administrators_take_home before insert or update of organization_id, project_id, project_grant_id
  on administrators for each row execute function take_home();

-- Identifies what entries a user has. Each change of entries gives their users new random values, in the same transaction.
-- So equal values mean equal entries, whatever was removed, added again or restored.
create table administrator_versions (
  user_id identifier primary key references users (id) on delete cascade,
  version uuid not null
);

-- Transactions that change entries of the same user wait for each other here.
create function renew_administrator_versions() returns trigger language plpgsql as $$
begin
  insert into administrator_versions (user_id, version)
  select c.user_id, gen_random_uuid()
  from (select distinct user_id from changed) c
  -- The entries of a removed user are removed, too.
  where exists (select from users u where u.id = c.user_id)
  order by c.user_id
  on conflict (user_id) do update set version = excluded.version;
  return null;
end $$;
create trigger administrators_renew_versions_after_insert after insert on administrators
  referencing new table as changed for each statement execute function renew_administrator_versions();
create trigger administrators_renew_versions_after_update after update on administrators
  referencing new table as changed for each statement execute function renew_administrator_versions();
create trigger administrators_renew_versions_before_update after update on administrators
  referencing old table as changed for each statement execute function renew_administrator_versions();
create trigger administrators_renew_versions_after_delete after delete on administrators
  referencing old table as changed for each statement execute function renew_administrator_versions();

create function renew_all_administrator_versions() returns trigger language plpgsql as $$
begin
  update administrator_versions set version = gen_random_uuid();
  return null;
end $$;
create trigger administrators_renew_versions_after_truncate after truncate on administrators
  for each statement execute function renew_all_administrator_versions();

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

-- Whether what a server remembers of a caller still holds in this snapshot: the token with this hash, or without one the
-- user, and the version of the user's entries. In this language, its plan is kept in each session.
create function caller_holds(token_hash bytea, caller_id text, entries_version uuid, at timestamptz) returns boolean
language plpgsql stable as $$
begin
  return (select v.version from administrator_versions v where v.user_id = caller_id) is not distinct from entries_version
    and case
      when token_hash is null then exists (select from users u where u.id = caller_id)
      else exists (
        select from tokens t
        where t.hash = token_hash and t.user_id = caller_id and (t.expiration_date is null or t.expiration_date > at))
    end;
end $$;

-- The same in a snapshot of its own, for a statement that may have waited since it took one.
create function caller_still_holds(token_hash bytea, caller_id text, entries_version uuid, at timestamptz) returns boolean
language plpgsql volatile as $$
begin
  return caller_holds(token_hash, caller_id, entries_version, at);
end $$;
