import type { TestDatabase } from "./database.ts";

/** An event of the directory as it is stored. Ids that are absent are those of nothing. */
export type StoredEvent = {
  readonly kind: string;
  readonly id: string;
  readonly within?: string;
  readonly userId?: string;
  readonly actorId?: string | null;
  readonly time?: string;
  readonly reason?: string;
  readonly before?: object | null;
  readonly after?: object | null;
  /** The kind and the id of each. */
  readonly places?: readonly (readonly [kind: string, id: string])[];
};

/** Appends events as changes of the directory do, and resolves to their sequences. */
export async function addDirectoryEvents(database: TestDatabase, ...events: StoredEvent[]): Promise<string[]> {
  const rows = await database.query<{ sequences: string[] }>(append, [JSON.stringify(events)]);
  return rows[0]?.sequences ?? [];
}

const append = `
  with given as (
    select
      nextval(pg_get_serial_sequence('directory_events', 'sequence')) as sequence,
      coalesce((e->>'time')::timestamptz, clock_timestamp()) as time, e
    from json_array_elements($1::json) with ordinality as given (e, position)
    order by position
  ), events as (
    insert into directory_events (
      sequence, time, kind, id, within, user_id, actor_id, request_id, reason, before, after)
    overriding system value
    select sequence, time, e->>'kind', e->>'id', coalesce(e->>'within', ''), e->>'userId', e->>'actorId',
      '3b241101-e2bb-4255-8caf-4136c566a962', coalesce(e->>'reason', ''), nullif((e->'before')::jsonb, 'null'),
      nullif((e->'after')::jsonb, 'null')
    from given
  ), places as (
    insert into directory_event_places (kind, id, time, sequence)
    select p->>0, p->>1, time, sequence from given cross join json_array_elements(e->'places') p
  )
  select array_agg(sequence::text order by sequence) as sequences from given`;
