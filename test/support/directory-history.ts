import { expect } from "vitest";
import { writeChange } from "../../src/import-format/changes.ts";
import { exportAll } from "../../src/postgres/directory/export/export.ts";
import type { TestDatabase } from "./database.ts";

export type DirectoryEvent = {
  readonly sequence: string;
  readonly kind: string;
  readonly id: string;
  readonly within: string;
  readonly user_id: string | null;
  readonly actor_id: string | null;
  readonly request_id: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  /** Sorted, each as its kind and its id. */
  readonly places: string[];
};

/** All events of the directory, or those after one of them, in their order. */
export function directoryEvents(database: TestDatabase, after = "0"): Promise<DirectoryEvent[]> {
  return database.query<DirectoryEvent>(
    `select sequence::text, kind, id, within, user_id, actor_id, request_id, before, after, array(
       select p.kind || ' ' || p.id from directory_event_places p
       where p.sequence = e.sequence and p.time = e.time
       order by 1) as places
     from directory_events e where e.sequence > $1::bigint order by e.sequence`,
    [after],
  );
}

/**
 * Fails unless each thing's events continue each other and end with what is stored, and unless a request has one event of
 * a thing, or two if it removes it and adds it again.
 */
export async function expectDirectoryHistory(database: TestDatabase): Promise<void> {
  const last = new Map<string, Record<string, unknown>>();
  const seen = new Map<string, DirectoryEvent>();
  for (const event of await directoryEvents(database)) {
    if (event.kind === "token") continue;
    const key = JSON.stringify([event.kind, event.id, event.within]);
    const previous = seen.get(key);
    expect({ event, before: event.before }).toEqual({ event, before: last.get(key) ?? null });
    if (previous?.request_id === event.request_id) expect([previous.after, event.before]).toEqual([null, null]);
    seen.set(key, event);
    if (event.after === null) last.delete(key);
    else last.set(key, event.after);
  }
  expect(last).toEqual(await storedImages(database));
}

/** What the export says about each thing of the directory, without empty fields and with sorted roles. */
export async function storedImages(database: TestDatabase): Promise<Map<string, unknown>> {
  const images = new Map<string, unknown>();
  await exportAll({ connectionString: database.url }, async (upserts) => {
    for (const upsert of upserts) {
      const [[kind, thing] = ["", {}]] = Object.entries<Record<string, any>>(JSON.parse(writeChange(upsert)));
      if (kind !== "authorization") images.set(keyOfThing(kind, thing), imageOf(thing));
    }
  });
  return images;
}

export function keyOfThing(kind: string, thing: Record<string, any>): string {
  if (kind === "projectRole") return JSON.stringify([kind, thing.key, thing.projectId]);
  if (kind !== "administrator") return JSON.stringify([kind, thing.id, ""]);
  const scope = ["organization", "project", "projectGrant"].find((of) => thing[`${of}Id`] !== undefined);
  return JSON.stringify([kind, thing.userId, scope === undefined ? "instance:" : `${scope}:${thing[`${scope}Id`]}`]);
}

export function imageOf(thing: Record<string, any>): Record<string, any> {
  const filled = Object.entries(thing).filter(([, value]) => value !== "" && value.length !== 0);
  return Object.fromEntries(
    filled.map(([name, value]) => [name, Array.isArray(value) ? value.toSorted(byCodePoint) : value]),
  );
}

const byCodePoint = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
