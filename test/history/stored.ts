import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { findWrong } from "../../src/postgres/check/check-numbers.ts";
import { withOwnConnection } from "../../src/postgres/pool/own-connection.ts";
import type { History, Moment, Row, StoredEvent, Violation } from "./operation.ts";
import { combination } from "./world.ts";

/** What is in the database when everybody has stopped. */
export async function readStored(client: pg.Client): Promise<Pick<History, "events" | "rows">> {
  const events = await client.query(selectEvents);
  const rows = await client.query(selectRows);
  return {
    events: events.rows.map(
      ({ sequence, id, type, date, actor, reason, roles, state, ends, ended_before, ...on }): StoredEvent => ({
        ...{ sequence: Number(sequence), key: keyOf(on), id, type, actor, reason, roles, state, date: Number(date) },
        ...{ expirationDate: toMoment(ends), expirationDateBefore: toMoment(ended_before) },
      }),
    ),
    rows: rows.rows.map(
      ({ id, created, changed, state, roles, ends, expired, ...on }): Row => ({
        ...{ key: keyOf(on), id, state, roles, creationDate: Number(created), changeDate: Number(changed) },
        ...{ expirationDate: toMoment(ends), expired },
      }),
    ),
  };
}

/** Waits until the servers have written all ends: clients give none that is far away. Returns those they didn't write. */
export async function untilAllEnded(client: pg.Client): Promise<Violation[]> {
  for (const giveUpAt = Date.now() + 15_000; ; await sleep(100)) {
    const { rows } = await client.query<{ id: string }>(selectUnended);
    if (rows.length === 0) return [];
    if (Date.now() > giveUpAt) return rows.map(({ id }) => ({ what: "an end that no server wrote", details: [id] }));
  }
}

/** Kept numbers, change dates and names that counting does not confirm. */
export async function findWrongKept(connection: pg.ClientConfig): Promise<Violation[]> {
  const wrong = await findWrong(connection);
  const requests = await withOwnConnection(connection, (client) =>
    client.query<{ request: string }>(selectMixedRequests),
  );
  return [
    ...requests.rows.map(({ request }) => ({ what: "events of one request that tell of several", details: [request] })),
    ...wrong.map((each) => ({ what: "a number, date or name that is wrong", details: [JSON.stringify(each)] })),
  ];
}

function toMoment(microseconds: string | null): Moment | undefined {
  return microseconds === null ? undefined : Number(microseconds);
}

function keyOf({ user, project, organization }: { user: string; project: string; organization: string }): string {
  return combination(user, project, organization).key;
}

const place = `user_id as "user", project_id as project, organization_id as organization`;
const microseconds = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint`;

const selectEvents = `
  select sequence, authorization_id as id, type, ${microseconds("time")} as date, actor_id as actor,
    reason, array_to_string(role_keys, ',') as roles, state, ${microseconds("expiration_date")} as ends,
    ${microseconds("expiration_date_before")} as ended_before, ${place}
  from events
  order by events.sequence`;

const selectUnended = "select id from authorizations where state = 'active' and expiration_date is not null";

/** Every client gives each of its requests a reason of its own, so each reason has one id of a request, and each id one reason. */
const selectMixedRequests = `
  with told as (
    select request_id, reason, coalesce(actor_id, '') as actor from events
    union
    select request_id, reason, coalesce(actor_id, '') from directory_events
  )
  select request_id::text as request from told group by request_id having count(*) > 1
  union all
  select reason from told where reason <> '' group by reason having count(*) > 1`;

const selectRows = `
  select id, ${microseconds("creation_date")} as created, ${microseconds("change_date")} as changed, state,
    ${microseconds("expiration_date")} as ends, expired,
    array_to_string(array(
      select h.role_key::text from authorization_roles h where h.authorization_id = a.id order by h.role_key), ',') as roles,
    ${place}
  from authorizations a`;
