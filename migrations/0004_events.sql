-- Every effective change of an authorization, written in the transaction that made it (docs/reference/history.md).
-- What an event says of before and after is enough to keep every number (0005_numbers).
--
-- Rows are never changed and nothing points at them, so this can become a table partitioned by month: the time is part
-- of the key, and every index that finds a page holds it. A reason or the id of a request can come later as a column
-- that may be null: adding one rewrites no row, and every statement that writes events names its columns.
create table events (
  sequence bigint generated always as identity,
  authorization_id identifier not null,
  type text collate "C" not null check (type in (
    'user.grant.added', 'user.grant.changed', 'user.grant.deactivated', 'user.grant.reactivated',
    'user.grant.removed', 'user.grant.cascade.changed', 'user.grant.cascade.removed')),
  -- Of one that was added, the creation date; of one that was removed, when; otherwise the change date.
  time instant not null,
  -- The user whose call it was; null when it came from the command line.
  actor_id identifier,
  user_id identifier not null,
  project_id identifier not null,
  organization_id identifier not null,
  project_grant_id text collate "C" not null,
  -- What the authorization was after the change: nothing, in no state, once it is removed.
  role_keys text[] collate "C" not null,
  state authorization_state,
  creation_date instant,
  -- What it was before: nothing, in no state, when it was not there.
  role_keys_before text[] collate "C" not null default '{}',
  state_before authorization_state,
  creation_date_before instant,
  -- Where it was before, if that was another place: one change of the directory can remove an authorization and add one
  -- of the same id elsewhere, which is one event.
  project_id_before identifier,
  organization_id_before identifier,
  primary key (sequence, time),
  check ((state is null) = (type in ('user.grant.removed', 'user.grant.cascade.removed'))),
  check ((creation_date is null) = (state is null)),
  check (state_before is not null or type = 'user.grant.added'),
  check ((creation_date_before is null) = (state_before is null)),
  check ((project_id_before is null) = (organization_id_before is null))
);
create index events_of_authorization on events (authorization_id, sequence);

-- Every index costs every change, so there is one for each way in which a page is found, and none for what another
-- finds as well (docs/reference/history.md).
-- For callers that see everything: without a filter, by type, and by time. Newest first is the last of each of the types.
create index events_by_type on events (type, time, sequence);
-- For administrators of an organization.
create index events_in_organization on events (organization_id, time, sequence);
-- For administrators of projects and of project grants, and to look for a project: the places that a project ever had
-- are known from the numbers of events.
create index events_in_place on events (organization_id, project_id, project_grant_id, time, sequence);
-- For a user's own, and to look for a user.
create index events_of_user on events (user_id, time, sequence);
-- To look for what one user did. For the command line, the actor is null.
create index events_by_actor on events (actor_id, time, sequence);

create function refuse_to_rewrite_history() returns trigger language plpgsql as $$
begin
  raise exception 'events are never changed or deleted';
end $$;
create trigger events_are_final before update or delete or truncate on events
  for each statement execute function refuse_to_rewrite_history();
