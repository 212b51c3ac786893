-- Every effective change of an authorization, written in the same transaction (docs/reference/history.md). An event's
-- fields before and after the change are enough to maintain all numbers (0005_numbers).
--
-- Rows never change and nothing refers to them, so old ones can be archived (docs/how-to/archive-old-history.md).
create table events (
  sequence bigint generated always as identity primary key,
  authorization_id identifier not null,
  type text collate "C" not null check (type in (
    'user.grant.added', 'user.grant.changed', 'user.grant.deactivated', 'user.grant.reactivated',
    'user.grant.removed', 'user.grant.expired', 'user.grant.cascade.changed', 'user.grant.cascade.removed')),
  -- The creation date for an added authorization, the time of a removal, otherwise the change date.
  time instant not null,
  -- The user who made the call; null for the command line, and for an end.
  actor_id identifier,
  user_id identifier not null,
  project_id identifier not null,
  organization_id identifier not null,
  project_grant_id text collate "C" not null,
  -- The authorization after the change. No roles and no state for a removal.
  role_keys text[] collate "C" not null,
  state authorization_state,
  creation_date instant,
  expiration_date instant,
  -- The authorization before the change. No roles and no state if it did not exist.
  role_keys_before text[] collate "C" not null default '{}',
  state_before authorization_state,
  creation_date_before instant,
  expiration_date_before instant,
  -- Its place before the change, if that was another one: one directory change can remove an authorization and add one with
  -- the same id elsewhere, as a single event.
  project_id_before identifier,
  organization_id_before identifier,
  -- The same for all events of one request, those of the directory included (0006_directory_events). Null for an end.
  request_id uuid,
  reason text collate "C" not null default '' check (char_length(reason) <= 500),
  -- Sequences don't say what a reader could already see, because changes commit side by side.
  transaction xid8 not null default pg_current_xact_id(),
  -- Transaction ids mean something only in the cluster that gave them. Sessions of the service know it, which saves a read of
  -- a file for each event.
  system bigint not null default coalesce(
    nullif(current_setting('authorization_service.system', true), '')::bigint, (pg_control_system()).system_identifier),
  check ((state is null) = (type in ('user.grant.removed', 'user.grant.cascade.removed'))),
  check ((request_id is null) = (type = 'user.grant.expired')),
  check ((creation_date is null) = (state is null)),
  check (state_before is not null or type = 'user.grant.added'),
  check ((creation_date_before is null) = (state_before is null)),
  check ((project_id_before is null) = (organization_id_before is null))
);
create index events_of_authorization on events (authorization_id, sequence);

-- Every index makes every change slower, so there is one for each way to find a page, and no second one for the same way
-- (docs/reference/history.md).
-- For callers who see everything: without a filter, by type, and by time. Newest first is a merge of all types.
create index events_by_type on events (type, time, sequence);
-- For administrators of an organization.
create index events_in_organization on events (organization_id, time, sequence);
-- For administrators of projects and project grants, and to find a project: the places where it ever had events, and the
-- events in each of them.
create index events_in_place on events (project_id, organization_id, project_grant_id, time, sequence);
-- Each project is in one organization or in a few, so its events are not as few as if the columns were independent.
create statistics events_by_place (dependencies) on organization_id, project_id, project_grant_id from events;
-- Most places have few events. For a page of one of the large ones, Postgres would expect as few, and sort all of them.
alter table events alter column organization_id set (n_distinct = 100),
  alter column project_id set (n_distinct = 100), alter column project_grant_id set (n_distinct = 100);
-- For a user's own events, and to find a user.
create index events_of_user on events (user_id, time, sequence);
-- To find what one user did. For the command line, the actor is null.
create index events_by_actor on events (actor_id, time, sequence);

-- What has become visible since a snapshot (src/postgres/history/feed.ts).
create index events_by_transaction on events (transaction, sequence);

-- From where on the histories are kept. Earlier events are archived: they are in a file that is safe on disk, and no
-- statement may show them, even while they are not deleted yet.
create table kept_history (
  is_only boolean primary key default true check (is_only),
  first_event bigint not null,
  first_directory_event bigint not null,
  -- The transaction that archived the events before them. What a snapshot from before was shown can't be compared any more.
  archived_in xid8 not null,
  -- The last transaction with archived events, and its cluster. Who has not seen it may have missed some. Null: none.
  last_archived xid8,
  last_archived_system bigint
);
insert into kept_history (first_event, first_directory_event, archived_in) values (0, 0, pg_current_xact_id());

-- The sum keeps the condition from being one on an index. PostgreSQL 18 can expect to search an index once for each time
-- in a range, and read all events of the range from another index instead.
create view kept_events as
  select * from events where sequence + 0 >= (select first_event from kept_history);

-- Only erase_person (0006_directory_events) may rewrite rows.
create function refuse_to_rewrite_history() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('authorization_service.erases', true) = 'yes' then
    return null;
  end if;
  raise exception 'events are never changed or deleted';
end $$;
create trigger events_are_final before update or truncate on events
  for each statement execute function refuse_to_rewrite_history();

-- Archived events may be deleted. The argument is the column of kept_history that says which those are.
create function refuse_to_delete_kept() returns trigger language plpgsql as $$
declare
  has_kept boolean;
begin
  execute format('select exists (
    select from deleted where (sequence < (select %I from %I.kept_history)) is not true)', tg_argv[0], tg_table_schema)
    into has_kept;
  if has_kept then
    raise exception 'events are never changed or deleted';
  end if;
  return null;
end $$;
create trigger events_are_kept after delete on events referencing old table as deleted
  for each statement execute function refuse_to_delete_kept('first_event');

-- What was removed, each with its last removal. It says who may use the id again (docs/reference/permissions.md), and
-- which events are older than a new thing with the same id: its users don't see them (docs/reference/history.md).
create table removed_things (
  kind text collate "C" not null check (kind in ('organization', 'user', 'project', 'projectGrant')),
  id identifier not null,
  -- The organization it was in. For a grant, the owner of the project.
  organization_id identifier not null,
  -- No event of its authorizations has a higher sequence.
  last_event bigint not null,
  -- No event of the directory about it or in it has a higher sequence.
  last_directory_event bigint not null default 0,
  primary key (kind, id)
);
