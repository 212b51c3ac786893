-- Every effective change of an authorization, written in the same transaction (docs/reference/history.md). An event's
-- fields before and after the change are enough to maintain all numbers (0005_numbers).
--
-- Rows never change and nothing refers to them, so old months can be archived (docs/how-to/archive-old-history.md). Each
-- month in which events were appended is a partition. Sequences begin with the month (first_sequence below), so a single
-- row is found in one partition, and events in the order of their sequences need no merge of several.
create table events (
  sequence bigint generated always as identity,
  authorization_id identifier not null,
  type text collate "C" not null check (type in (
    'user.grant.added', 'user.grant.changed', 'user.grant.deactivated', 'user.grant.reactivated',
    'user.grant.removed', 'user.grant.cascade.changed', 'user.grant.cascade.removed')),
  -- The creation date for an added authorization, the time of a removal, otherwise the change date.
  time instant not null,
  -- The user who made the call; null for the command line.
  actor_id identifier,
  user_id identifier not null,
  project_id identifier not null,
  organization_id identifier not null,
  project_grant_id text collate "C" not null,
  -- The authorization after the change. No roles and no state for a removal.
  role_keys text[] collate "C" not null,
  state authorization_state,
  creation_date instant,
  -- The authorization before the change. No roles and no state if it did not exist.
  role_keys_before text[] collate "C" not null default '{}',
  state_before authorization_state,
  creation_date_before instant,
  -- Its place before the change, if that was another one: one directory change can remove an authorization and add one with
  -- the same id elsewhere, as a single event.
  project_id_before identifier,
  organization_id_before identifier,
  -- The same for all events of one request, those of the directory included (0006_directory_events).
  request_id uuid not null,
  reason text collate "C" not null default '' check (char_length(reason) <= 500),
  -- Sequences don't say what a reader could already see, because changes commit side by side.
  transaction xid8 not null default pg_current_xact_id(),
  primary key (sequence),
  check ((state is null) = (type in ('user.grant.removed', 'user.grant.cascade.removed'))),
  check ((creation_date is null) = (state is null)),
  check (state_before is not null or type = 'user.grant.added'),
  check ((creation_date_before is null) = (state_before is null)),
  check ((project_id_before is null) = (organization_id_before is null))
) partition by range (sequence);
create index events_of_authorization on events (authorization_id, sequence);

-- Every index makes every change slower, so there is one for each way to find a page, and no second one for the same way
-- (docs/reference/history.md).
-- For callers who see everything: without a filter, by type, and by time. Newest first is a merge of all types.
create index events_by_type on events (type, time, sequence);
-- For administrators of an organization.
create index events_in_organization on events (organization_id, time, sequence);
-- For administrators of projects and project grants, and to find a project. The numbers of events say in which places a
-- project ever had events.
create index events_in_place on events (organization_id, project_id, project_grant_id, time, sequence);
-- Each project is in one organization or in a few, so its events are not as few as if the columns were independent.
create statistics events_by_place (dependencies) on organization_id, project_id, project_grant_id from events;
-- For a user's own events, and to find a user.
create index events_of_user on events (user_id, time, sequence);
-- To find what one user did. For the command line, the actor is null.
create index events_by_actor on events (actor_id, time, sequence);

create function refuse_to_rewrite_history() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    raise exception 'events are only appended to the whole table';
  end if;
  raise exception 'events are never changed or deleted';
end $$;
create trigger events_are_final before update or delete or truncate on events
  for each statement execute function refuse_to_rewrite_history();

-- From where on the histories are kept. Earlier events are archived: they are not in the numbers any more, and no
-- statement may show them, even while their partition is still there.
create table kept_history (
  is_only boolean primary key default true check (is_only),
  -- The first sequence of a month, for both histories.
  first_sequence bigint not null,
  -- The transaction that archived the events before it. What a snapshot from before was shown can't be compared any more.
  archived_in xid8 not null
);
insert into kept_history (first_sequence, archived_in) values (0, pg_current_xact_id());
create view kept_events as
  select * from events where sequence >= (select first_sequence from kept_history);

-- How many events of a place, or of a whole organization if the project is empty, are up to a sequence and of some types, or
-- of any type. A function, so that statements that hide nothing don't prepare to look into all months.
create function count_hidden_events(
  organization text, project text, project_grant text, hidden_to bigint, types text[]) returns bigint
language plpgsql stable parallel safe as $$
begin
  return (
    select count(*) from kept_events e
    where e.organization_id = organization and e.sequence <= hidden_to
      and (project = '' or (e.project_id, e.project_grant_id) = (project, project_grant))
      and (types is null or e.type = any(types)));
end $$;

-- The first sequence of the month of a time, in UTC: the year, the month and ten more digits. JavaScript's numbers hold it
-- exactly.
create function first_sequence(moment timestamptz) returns bigint language sql stable parallel safe
  return to_char(moment at time zone 'UTC', 'YYYYMM')::bigint * 10000000000;

-- Adds the partition of a month. Nothing waits for it, because attaching an empty table takes no lock that readers or
-- writers need. Rows can be added only through the whole table, whose trigger counts them, and by its rights.
create function add_month(history text, month date) returns void language plpgsql as $$
declare
  first constant bigint := first_sequence(month::timestamp at time zone 'UTC');
  past constant bigint := first_sequence((month + interval '1 month') at time zone 'UTC');
  name constant text := history || to_char(month, '_YYYY_MM');
  other oid;
begin
  if to_regclass(name) is not null then
    return;
  end if;
  execute format('create table %I (like %I including all excluding identity)', name, history);
  -- Most places have few events. For a page of one of the large ones, Postgres would expect as few, and sort all of them.
  if history = 'events' then
    execute format('alter table %I alter column organization_id set (n_distinct = 100),
      alter column project_id set (n_distinct = 100), alter column project_grant_id set (n_distinct = 100)', name);
  elsif history = 'directory_event_places' then
    execute format('alter table %I alter column id set (n_distinct = 100)', name);
  end if;
  execute format('create trigger %I before insert or update or delete or truncate on %I
    for each statement execute function refuse_to_rewrite_history()', history || '_are_final', name);
  for other in
    select distinct a.grantee from pg_catalog.pg_class c cross join pg_catalog.aclexplode(c.relacl) a
    where c.oid = name::regclass and a.grantee <> c.relowner
  loop
    execute format('revoke all on %I from %s', name, case other when 0 then 'public' else other::regrole::text end);
  end loop;
  execute format('alter table %I attach partition %I for values from (%s) to (%s)', history, name, first, past);
end $$;

-- Makes the partitions of this month and the next one. Servers call this and then begin_month, when they start and when a
-- month begins (src/postgres/retention/months.ts).
--
-- Both run with the rights of the tables' owner, because servers may not make tables. They give up instead of waiting.
create function add_months() returns void language plpgsql security definer set lock_timeout = '1s' as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
  history text;
  month timestamp;
begin
  perform pg_advisory_xact_lock(720638142);
  foreach history in array array['events', 'directory_events', 'directory_event_places'] loop
    foreach month in array array[date_trunc('month', today), date_trunc('month', today) + interval '1 month'] loop
      perform add_month(history, month::date);
    end loop;
  end loop;
end $$;

-- Begins the sequences of this month, if its partitions are there. Until then, events belong to the month before. So a
-- missing partition never makes a change fail. Other transactions see a new sequence at once, and a partition only after
-- its commit, so this must run in a later transaction than add_months.
create function begin_month() returns void language plpgsql security definer set lock_timeout = '1s' as $$
begin
  perform pg_advisory_xact_lock(720638142);
  if exists (
    select from unnest(array['events', 'directory_events', 'directory_event_places']) as history
    where not exists (
      select from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
      where i.inhparent = history::regclass and c.relname = history || to_char(now() at time zone 'UTC', '_YYYY_MM'))
  ) then
    return;
  end if;
  perform setval(numbers.name, first_sequence(now()))
  from (values
    (pg_get_serial_sequence('events', 'sequence')), (pg_get_serial_sequence('directory_events', 'sequence'))) numbers (name)
  where coalesce(pg_sequence_last_value(numbers.name), 0) < first_sequence(now());
end $$;

-- How late the events of past months are, so that a page of the newest events doesn't have to look into all months
-- (src/postgres/history/recent-months.ts). There is a row for each history and each month that is over.
create table past_months (
  history text collate "C" not null check (history in ('events', 'directory_events')),
  -- The first sequence after that month.
  first_after bigint not null,
  -- No event with a lower sequence than that has a later time, and none will be added. Null until that is certain.
  latest instant,
  -- Once all transactions up to this one have ended, no one can append to that month.
  found_in xid8 not null default pg_current_xact_id(),
  primary key (history, first_after)
);

-- Notices months that are over, and a later call finds out how late their events are. Servers call this after begin_month,
-- in a transaction of its own: its id must be higher than that of any transaction with a sequence of such a month.
create function look_back() returns void language plpgsql security definer set lock_timeout = '1s' as $$
declare
  histories text[];
  ends bigint[];
  over record;
  current text := '';
  reached bigint;
  until instant;
begin
  -- An import of a history adds to past months.
  if pg_current_xact_id_if_assigned() is not null or not pg_try_advisory_xact_lock(720638144) then
    return;
  end if;
  -- All of them are read before the first is stored. That takes the id of this transaction, and another server could begin
  -- a month in between.
  select array_agg(h.name), array_agg(m.first_after) into histories, ends
  from unnest(array['events', 'directory_events']) h (name)
  join pg_catalog.pg_inherits i on i.inhparent = h.name::regclass
  join pg_catalog.pg_class c on c.oid = i.inhrelid
  cross join lateral (select to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' as next) n
  cross join lateral (select first_sequence(n.next at time zone 'UTC') as first_after) m
  where m.first_after <= pg_sequence_last_value(pg_get_serial_sequence(h.name, 'sequence')::regclass)
    and not exists (select from past_months p where (p.history, p.first_after) = (h.name, m.first_after));
  insert into past_months (history, first_after) select * from unnest(histories, ends);
  for over in select * from past_months p order by p.history, p.first_after loop
    if over.history <> current then
      current := over.history;
      reached := 0;
      until := '0001-01-01Z';
    end if;
    if over.latest is null and over.found_in < pg_snapshot_xmin(pg_current_snapshot()) then
      execute format('select max(time) from %I where sequence >= $1 and sequence < $2', current)
        into over.latest using reached, over.first_after;
      over.latest := greatest(over.latest, until);
      update past_months p set latest = over.latest
      where p.history = over.history and p.first_after = over.first_after;
    end if;
    if over.latest is not null then
      reached := over.first_after;
      until := over.latest;
    end if;
  end loop;
exception when lock_not_available then
  -- The next call tries again.
  return;
end $$;
-- The schema is named, because a role could hide a table behind a temporary one of the same name.
do $$ begin
  execute format('alter function add_months() set search_path = %I, pg_temp', current_schema());
  execute format('alter function begin_month() set search_path = %I, pg_temp', current_schema());
  execute format('alter function look_back() set search_path = %I, pg_temp', current_schema());
end $$;

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
