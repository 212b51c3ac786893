-- Every effective change of the directory and of tokens, written in the same transaction (docs/reference/directory-history.md).
-- Rows never change. As in 0004_events, only archived ones are deleted.
create table directory_events (
  sequence bigint generated always as identity primary key,
  -- Changes commit side by side with those of tokens, so sequences don't say what a reader could already see.
  transaction xid8 not null default pg_current_xact_id(),
  time instant not null,
  kind text collate "C" not null check (kind in (
    'organization', 'user', 'project', 'projectRole', 'projectGrant', 'administrator', 'token')),
  -- The id of the thing. For a role, its key; for an administrator entry, its user.
  id text collate "C" not null,
  -- For a role, its project. For an administrator entry, the id of its scope, after the kind of scope and a colon. Otherwise
  -- empty.
  within text collate "C" not null default '',
  -- The user concerned: the user itself, or the one an entry or a token is for.
  user_id identifier,
  -- The user who made the call; null for the command line.
  actor_id identifier,
  -- The same for all events of one request, those of assignments included.
  request_id uuid not null,
  reason text collate "C" not null default '' check (char_length(reason) <= 500),
  -- The thing as JSON, before and after the change; null where there was none.
  before jsonb,
  after jsonb,
  -- How long both are as text. Pages of large things end early.
  bytes integer not null generated always as (
    coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0)) stored,
  -- An event of an erased user may have been about a name. Other users have a login name.
  check (before is distinct from after or (kind = 'user' and not before ? 'preferredLoginName'))
);
-- For callers who see everything: without a filter, by kind, and by time. Newest first is a merge of all kinds.
create index directory_events_by_kind on directory_events (kind, time, sequence);
-- To find a thing, and whether it has changed.
create index directory_events_of_thing on directory_events (kind, id, within, sequence);
-- For a user's own entries and tokens, and to find a user.
create index directory_events_of_user on directory_events (user_id, time, sequence);
-- To find what one user did. For the command line, the actor is null.
create index directory_events_by_actor on directory_events (actor_id, time, sequence);

create trigger directory_events_are_final before update or truncate on directory_events
  for each statement execute function refuse_to_rewrite_history();
create trigger directory_events_are_kept after delete on directory_events referencing old table as deleted
  for each statement execute function refuse_to_delete_kept('first_directory_event');

-- The organizations, projects and grants that an event belongs to: those its thing was in before and after it. A grant
-- belongs to its project as a `grantedProject`, and to the organization that owns this project as a `grantOwner`, because
-- only administrators who may change the project's grants see it there (docs/reference/directory-history.md).
create table directory_event_places (
  kind text collate "C" not null check (kind in (
    'organization', 'project', 'projectGrant', 'grantOwner', 'grantedProject')),
  id identifier not null,
  time instant not null,
  sequence bigint not null,
  primary key (kind, id, time, sequence)
);
-- To decide whether a caller sees an event that was found in another way.
create index directory_event_places_of_event on directory_event_places (sequence, kind, id);
-- As for events, the large places matter.
alter table directory_event_places alter column id set (n_distinct = 100);

create trigger directory_event_places_are_final before update or truncate on directory_event_places
  for each statement execute function refuse_to_rewrite_history();
create trigger directory_event_places_are_kept after delete on directory_event_places referencing old table as deleted
  for each statement execute function refuse_to_delete_kept('first_directory_event');

create view kept_directory_events as
  select * from directory_events where sequence + 0 >= (select first_directory_event from kept_history);
create view kept_directory_event_places as
  select * from directory_event_places where sequence + 0 >= (select first_directory_event from kept_history);

-- Deletes the oldest archived events of both histories, at most so many of each, and returns how many there were. Only for
-- the owner: no other role may delete events.
create function delete_archived(most integer) returns bigint language plpgsql as $$
declare
  kept constant kept_history := (select k from kept_history k);
  last bigint;
  deleted bigint;
  of_directory bigint;
begin
  select max(sequence) into last from (
    select sequence from events where sequence < kept.first_event order by sequence limit most) archived;
  delete from events where sequence <= last;
  get diagnostics deleted = row_count;
  select max(sequence) into last from (
    select sequence from directory_events where sequence < kept.first_directory_event order by sequence limit most) archived;
  delete from directory_event_places where sequence <= last;
  delete from directory_events where sequence <= last;
  get diagnostics of_directory = row_count;
  return deleted + of_directory;
end $$;
revoke execute on function delete_archived(integer) from public;

-- Takes the names of a removed user out of both histories, wherever they are: in the user's own events, and in reasons and
-- names of tokens that contain one of them, or one of the other names given. Appends an event. Returns how many events it
-- has changed, or null if no such user was ever removed. The only way to change an event, and only for the owner
-- (docs/how-to/erase-a-person.md).
create function erase_person(person text, other_names text[], request uuid, why text) returns bigint
  language plpgsql as $$
declare
  -- What an image of a user has, apart from its id and its organization.
  names constant text[] := '{preferredLoginName,displayName,avatarUrl}';
  -- Finds each name as whole words, in whatever case.
  naming text;
  changed bigint;
  more bigint;
  organization text;
  event bigint;
begin
  perform set_config('authorization_service.erases', 'yes', true);
  select '(^|[^[:alnum:]])(' || string_agg(
      regexp_replace(fold_case(name) collate "C", '[^a-z0-9 ]', '\\\&', 'g'), '|') || ')($|[^[:alnum:]])'
    into naming
    from (
      select image ->> key from directory_events cross join unnest(array[before, after]) image
        cross join unnest('{preferredLoginName,displayName}'::text[]) key
        where kind = 'user' and id = person
      union select unnest(other_names)) known (name)
    where name <> '';
  update directory_events set
    reason = case when fold_case(reason) collate "C" ~ naming then '' else reason end,
    before = case when kind = 'token' then before - 'name' else before end,
    after = case when kind = 'token' then after - 'name' else after end
  where fold_case(reason) collate "C" ~ naming
    or kind = 'token' and fold_case(coalesce(before, after) ->> 'name') collate "C" ~ naming;
  get diagnostics changed = row_count;
  update events set reason = '' where fold_case(reason) collate "C" ~ naming;
  get diagnostics more = row_count;
  changed := changed + more;
  -- From here until the end, no one can add the user again.
  lock table users in share mode;
  if exists (select from users where id = person) then
    raise exception 'the user exists' using errcode = 'object_in_use';
  end if;
  update directory_events set before = before - names, after = after - names
  where kind = 'user' and id = person and coalesce(before, after) ?| names;
  get diagnostics more = row_count;
  changed := changed + more;
  perform set_config('authorization_service.erases', 'no', true);
  -- What else remembers the names of removed users belongs here.
  select organization_id into organization from removed_things where kind = 'user' and id = person;
  if organization is null then
    return null;
  end if;
  insert into directory_events (time, kind, id, user_id, request_id, reason, before, after)
  values (statement_timestamp(), 'user', person, person, request, why,
    jsonb_build_object('id', person, 'organizationId', organization), jsonb_build_object('id', person))
  returning sequence into event;
  insert into directory_event_places (kind, id, time, sequence)
  values ('organization', organization, statement_timestamp(), event);
  return changed;
end $$;
revoke execute on function erase_person(text, text[], uuid, text) from public;

-- Any role may create tokens only with a trace: for a user who asked for it, with an end, and with an event in the same
-- transaction. Only the owner of the table may create others, as the command line does. So a stolen login of the server
-- can't create a token that no one finds (docs/internals/security-evidence.md).
create function refuse_tokens_without_trace() returns trigger language plpgsql as $$
declare
  is_recorded boolean;
begin
  if pg_has_role(current_user, (select relowner from pg_catalog.pg_class where oid = tg_relid), 'usage') then
    return null;
  end if;
  -- The schema is named, because a role could hide a table behind a temporary one of the same name.
  execute format($query$
    select exists (
      select from %I.directory_events
      where kind = 'token' and id = $1 and within = '' and transaction = pg_current_xact_id()
        and user_id = $2 and actor_id = $3 and before is null)
  $query$, tg_table_schema) into is_recorded using new.id, new.user_id, new.maker_id;
  if not is_recorded or new.expiration_date is null then
    raise insufficient_privilege using message = 'permission denied for table tokens: only its owner may create a token '
      'without an end, a maker or an event';
  end if;
  return null;
end $$;
create constraint trigger tokens_leave_a_trace after insert on tokens deferrable initially deferred
  for each row execute function refuse_tokens_without_trace();
