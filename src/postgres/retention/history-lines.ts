import type pg from "pg";
import type { Cut } from "./archive.ts";

/** What the lines of a history are about, in the order in which they are written. */
const historyLineKinds = ["event", "directoryEvent", "removedThing"] as const;
type HistoryLineKind = (typeof historyLineKinds)[number];

/** Reads both histories, and what was removed, within the client's transaction. Before a cut, only events. */
export async function* readHistoryLines(client: pg.ClientBase, cut?: Cut): AsyncGenerator<string[]> {
  for (const kind of historyLineKinds) {
    if (cut !== undefined && kind === "removedThing") continue;
    const which = cut === undefined || kind === "removedThing" ? "true" : `sequence < ${BigInt(cut[kind])}`;
    await client.query(`declare lines no scroll cursor for ${select[kind](which)}`);
    for (;;) {
      const { rows } = await client.query<{ line: object }>(`fetch ${atOnce} from lines`);
      if (rows.length > 0) yield rows.map(({ line }) => JSON.stringify(line));
      if (rows.length < atOnce) break;
    }
    await client.query("close lines");
  }
}

const atOnce = 2_000;

/** A time with all its microseconds, as everywhere in the import format. */
function time(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** The order of the fields is that of the lines. */
function line(kind: HistoryLineKind, fields: Readonly<Record<string, string>>): string {
  const all = Object.entries(fields).map(([name, value]) => `'${name}', ${value}`);
  return `json_build_object('${kind}', json_build_object(${all.join(", ")})) as line`;
}

const select: Readonly<Record<HistoryLineKind, (which: string) => string>> = {
  event: (which) => `
    select ${line("event", {
      sequence: "e.sequence::text",
      time: time("e.time"),
      type: "e.type",
      actorId: "e.actor_id",
      authorizationId: "e.authorization_id",
      userId: "e.user_id",
      projectId: "e.project_id",
      organizationId: "e.organization_id",
      projectGrantId: "e.project_grant_id",
      roleKeys: "e.role_keys",
      state: "e.state",
      creationDate: time("e.creation_date"),
      roleKeysBefore: "e.role_keys_before",
      stateBefore: "e.state_before",
      creationDateBefore: time("e.creation_date_before"),
      projectIdBefore: "e.project_id_before",
      organizationIdBefore: "e.organization_id_before",
      requestId: "e.request_id",
      reason: "e.reason",
    })}
    from kept_events e where ${which} order by e.sequence`,
  directoryEvent: (which) => `
    select ${line("directoryEvent", {
      sequence: "e.sequence::text",
      time: time("e.time"),
      kind: "e.kind",
      id: "e.id",
      within: "e.within",
      userId: "e.user_id",
      actorId: "e.actor_id",
      requestId: "e.request_id",
      reason: "e.reason",
      before: "e.before",
      after: "e.after",
      places: `array(
        select json_build_object('kind', k.kind, 'id', p.id)
        from directory_event_places p cross join lateral (select
          case p.kind when 'grantOwner' then 'organization' when 'grantedProject' then 'project' else p.kind end as kind) k
        where p.sequence = e.sequence order by k.kind, p.id)`,
    })}
    from kept_directory_events e where ${which} order by e.sequence`,
  removedThing: () => `
    select ${line("removedThing", {
      kind: "r.kind",
      id: "r.id",
      organizationId: "r.organization_id",
      lastEvent: "r.last_event::text",
      lastDirectoryEvent: "r.last_directory_event::text",
    })}
    from removed_things r order by r.kind, r.id`,
};
