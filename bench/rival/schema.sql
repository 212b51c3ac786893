-- The rival's own tables, filled with the same rows, with the indexes its routes want and no others.

create schema rival;

create table rival.users (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  preferred_login_name text collate "C" not null,
  display_name text collate "C" not null,
  avatar_url text collate "C" not null
);
insert into rival.users select id, organization_id, preferred_login_name, display_name, avatar_url from users;

create table rival.authorizations (
  id text collate "C" not null,
  user_id text collate "C" not null,
  project_id text collate "C" not null,
  organization_id text collate "C" not null,
  -- Null when the organization owns the project.
  project_grant_id text collate "C",
  state authorization_state not null default 'active',
  creation_date timestamptz not null default now(),
  change_date timestamptz not null default now(),
  -- Sorted.
  role_keys text[] collate "C" not null
);
insert into rival.authorizations
select id, user_id, project_id, organization_id, nullif(project_grant_id, ''), state, creation_date, change_date,
  array(select key from unnest(role_keys) key order by key)
from bench.authorizations;

create table rival.events (
  sequence bigint generated always as identity primary key,
  authorization_id text collate "C" not null,
  type text not null,
  time timestamptz not null default now(),
  actor_id text not null,
  payload jsonb not null
);

alter table rival.users
  add primary key (id),
  add foreign key (organization_id) references organizations (id);
alter table rival.authorizations
  add primary key (id),
  add unique (user_id, project_id, organization_id),
  add foreign key (user_id) references rival.users (id),
  add foreign key (project_id) references projects (id),
  add foreign key (organization_id) references organizations (id),
  add foreign key (project_grant_id) references project_grants (id);

create index on rival.users using gin (lower(display_name) gin_trgm_ops);
create index on rival.authorizations (creation_date desc, id desc);
create index on rival.authorizations (organization_id, creation_date desc, id desc);
create index on rival.authorizations (project_id, creation_date desc, id desc);
create index on rival.authorizations (project_grant_id, creation_date desc, id desc) where project_grant_id is not null;
create index on rival.events (authorization_id, sequence);
