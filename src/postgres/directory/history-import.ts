import { HistoryRefused } from "../../directory/history-line.ts";
import type { Connection } from "../database/database.ts";
import { canWorkInSets } from "./in-sets.ts";
import type { StagingTable } from "./staging.ts";

/** Throws HistoryRefused if the staged history can't be imported. Only reads what is stored. */
export async function requireImportable(connection: Connection, tables: ReadonlySet<StagingTable>): Promise<void> {
  if (tables.has("staged_removals")) throw new HistoryRefused("a file with events can't remove anything");
  await requireEmptyHistory(connection);
  if (!(await canWorkInSets(connection))) {
    throw new HistoryRefused("events can be imported only by the owner of a database without assignments");
  }
  const [wrong] = await connection.query<{ position: string; what: string }>({ text: findWrong, values: [] });
  if (wrong !== undefined) throw new HistoryRefused(wrong.what, wrong.position);
}

async function requireEmptyHistory({ query }: Connection): Promise<void> {
  const [row] = await query<{ is_empty: boolean }>({ text: isEmpty, values: [] });
  if (!row?.is_empty) throw new HistoryRefused("events can be imported only into an empty history");
}

/**
 * Throws HistoryRefused if the staged events say anything else about an assignment or a thing than the other staged
 * lines. Call it after findAllEffects. Without such lines, as in an archive, there is nothing to compare.
 */
export async function requireAgreement({ query }: Connection): Promise<void> {
  const [wrong] = await query<{ position: string; what: string }>({ text: findDisagreement, values: [] });
  if (wrong !== undefined) throw new HistoryRefused(wrong.what, wrong.position);
}

/** Adds the staged history as it is. No one else may use the tables, and the trigger for numbers must be off. */
export async function importHistory(connection: Connection): Promise<void> {
  const { query } = connection;
  // Once more, now that no one else can append anything.
  await requireEmptyHistory(connection);
  for (const text of [
    ...forgetPast,
    addMonths,
    addEvents,
    addDirectoryEvents,
    addPlaces,
    addRemoved,
    ...continueSequences,
  ]) {
    await query({ text, values: [] });
  }
}

const isEmpty = `
  select not exists (select from events) and not exists (select from directory_events)
    and not exists (select from kept_history where first_sequence > 0) as is_empty`;

/**
 * Months up to the next one have a partition. A machine whose clock is a little ahead may have begun it. If sequences went
 * further, new events could have no partition. New events of a month that isn't over may follow the imported ones, and an
 * export of them must have sequences that can be imported (src/import-format/line-rules.ts).
 */
const findWrong = `
  select position, what from (
    select position, case
      when following >= first_sequence((month + interval '2 months') at time zone 'UTC') then format(
        '%s.%s is of %s, but the clock of the database says %s, and months after the next one can''t be imported',
        kind, field, to_char(to_date(left(following::text, 6), 'YYYYMM'), 'YYYY-MM'),
        to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
      else format(
        '%s.%s must end in at most 7999999999, because that month isn''t over, and later events need room', kind, field)
      end as what
    from staged_history
    cross join date_trunc('month', now() at time zone 'UTC') as month
    cross join lateral (values
      ('sequence', line->>'sequence'), ('lastEvent', line->>'lastEvent'),
      ('lastDirectoryEvent', line->>'lastDirectoryEvent')) sequences (field, value)
    cross join lateral (select value::bigint + 1 as following) f
    where following >= first_sequence((month + interval '2 months') at time zone 'UTC')
      or (following >= first_sequence(month at time zone 'UTC') and following % 10000000000 > 8000000000)
    union all
    select position, kind || '.sequence occurs twice'
    from (
      select position, kind, row_number() over (partition by kind, line->>'sequence' order by position) as nth
      from staged_history where line ? 'sequence') s
    where nth > 1
    union all
    select position, 'the same thing was removed before'
    from (
      select position, row_number() over (partition by line->>'kind', line->>'id' order by position) as nth
      from staged_history where kind = 'removedThing') s
    where nth > 1) wrong
  order by position limit 1`;

/**
 * The last event of an assignment, or of a thing, says what it is now. No event since the assignment was added is later
 * than its last change; those from before may be, because it can come again with an earlier date once they are archived.
 */
const findDisagreement = `
  select position, what from (
    select e.position, case
      when s.time > r.change_date
        then format('event.time must not be later than the changeDate of the assignment in line %s', r.position)
      else format('event.%s of the assignment in line %s, because it is its last event', d.rule, r.position)
      end as what
    from (
      select line->>'authorizationId' as id, max((line->>'sequence')::bigint) as last,
        max((line->>'sequence')::bigint) filter (where line->>'type' = 'user.grant.added') as added
      from staged_history where kind = 'event'
      group by 1) h
    join resolved_authorizations r on r.id = h.id
    join staged_history e on e.kind = 'event' and e.line->>'authorizationId' = h.id
    cross join lateral (select
      (e.line->>'sequence')::bigint as sequence, (e.line->>'time')::timestamptz as time) s
    left join lateral (
      select rule
      from (values
        (1, 'userId must be that', e.line->>'userId' = r.user_id),
        (2, 'projectId must be that', e.line->>'projectId' = r.project_id),
        (3, 'organizationId must be that', e.line->>'organizationId' = r.organization_id),
        (4, 'projectGrantId must be that', e.line->>'projectGrantId' = r.project_grant_id),
        (5, 'state must be that', e.line->>'state' is not distinct from r.state::text),
        (6, 'roleKeys must be those', e.line->'roleKeys' = to_jsonb(r.role_keys)),
        (7, 'creationDate must be that', (e.line->>'creationDate')::timestamptz = r.creation_date),
        (8, 'time must be the changeDate', e.line->>'type' = 'user.grant.added' or s.time = r.change_date)
      ) rules (nth, rule, holds)
      where s.sequence = h.last and not holds order by nth limit 1) d on true
    where s.sequence >= coalesce(h.added, 0) and (s.time > r.change_date or d.rule is not null)
    union all
    select e.position, format('directoryEvent.after must be the %s in line %s, because it is its last event',
      f.kind, f.position)
    from (
      select line->>'kind' as kind, line->>'id' as id, line->>'within' as within,
        max((line->>'sequence')::bigint) as last
      from staged_history where kind = 'directoryEvent'
      group by 1, 2, 3) h
    join effects f on f.kind = h.kind and f.id = h.id and f.within = h.within
    join staged_history e on e.kind = 'directoryEvent' and (e.line->>'sequence')::bigint = h.last
    where e.line->'after' <> coalesce(f.after, 'null')) wrong
  order by position limit 1`;

/** The imported events may be later than all others of their months. `look_back` finds out again after the commit. */
const forgetPast = ["select pg_advisory_xact_lock(720638144)", "delete from past_months"];

/** Those of all events, and the one in which new events may continue. */
const addMonths = `
  select add_month(history, to_date(month, 'YYYYMM'))
  from (
    select left(line->>'sequence', 6) as month from staged_history where line ? 'sequence'
    union
    select left((greatest(max((line->>'lastEvent')::bigint), max((line->>'lastDirectoryEvent')::bigint)) + 1)::text, 6)
    from staged_history where kind = 'removedThing') months
  cross join unnest(array['events', 'directory_events', 'directory_event_places']) as history
  where month <> '1'`;

const addEvents = `
  insert into events (
    sequence, time, type, actor_id, authorization_id, user_id, project_id, organization_id, project_grant_id, role_keys,
    state, creation_date, role_keys_before, state_before, creation_date_before, project_id_before,
    organization_id_before, request_id, reason)
  overriding system value
  select
    (line->>'sequence')::bigint as sequence, (line->>'time')::timestamptz, line->>'type', line->>'actorId',
    line->>'authorizationId', line->>'userId', line->>'projectId', line->>'organizationId', line->>'projectGrantId',
    array(select jsonb_array_elements_text(line->'roleKeys')), (line->>'state')::authorization_state,
    (line->>'creationDate')::timestamptz, array(select jsonb_array_elements_text(line->'roleKeysBefore')),
    (line->>'stateBefore')::authorization_state, (line->>'creationDateBefore')::timestamptz, line->>'projectIdBefore',
    line->>'organizationIdBefore', (line->>'requestId')::uuid, line->>'reason'
  from staged_history where kind = 'event'
  order by sequence`;

const addDirectoryEvents = `
  insert into directory_events (
    sequence, time, kind, id, within, user_id, actor_id, request_id, reason, before, after)
  overriding system value
  select
    (line->>'sequence')::bigint as sequence, (line->>'time')::timestamptz, line->>'kind', line->>'id', line->>'within',
    line->>'userId', line->>'actorId', (line->>'requestId')::uuid, line->>'reason', nullif(line->'before', 'null'),
    nullif(line->'after', 'null')
  from staged_history where kind = 'directoryEvent'
  order by sequence`;

const addPlaces = `
  insert into directory_event_places (kind, id, time, sequence)
  select distinct p->>'kind', p->>'id', (line->>'time')::timestamptz, (line->>'sequence')::bigint
  from staged_history cross join jsonb_array_elements(line->'places') p
  where staged_history.kind = 'directoryEvent'`;

const addRemoved = `
  insert into removed_things (kind, id, organization_id, last_event, last_directory_event)
  select line->>'kind', line->>'id', line->>'organizationId', (line->>'lastEvent')::bigint,
    (line->>'lastDirectoryEvent')::bigint
  from staged_history where kind = 'removedThing'`;

/** New events come after those that were imported, and after everything that a removed thing hides. */
const continueSequences = [
  ["events", "last_event"],
  ["directory_events", "last_directory_event"],
].map(
  ([history, hidden]) => `
  select setval(numbers.name, last)
  from (select pg_get_serial_sequence('${history}', 'sequence') as name) numbers
  cross join (
    select greatest((select max(sequence) from ${history}), (select max(${hidden}) from removed_things)) as last) highest
  where last > coalesce(pg_sequence_last_value(numbers.name), 0)`,
);
