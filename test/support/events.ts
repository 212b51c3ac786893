import { toRfc3339 } from "../../src/authorization/instant.ts";
import type { TestDatabase } from "./database.ts";

/** An event as the history holds it, its time as JSON shows times. */
export type Event = {
  type: string;
  time: string;
  actor_id: string | null;
  user_id: string;
  project_id: string;
  organization_id: string;
  project_grant_id: string;
  role_keys: string[];
  state: string | null;
};

/** The history of an authorization in the order of its sequence. */
export async function eventsOf(database: TestDatabase, id: string): Promise<Event[]> {
  const rows = await database.query<Omit<Event, "time"> & { time: bigint }>(
    `select type, time, actor_id, user_id, project_id, organization_id, project_grant_id, role_keys, state::text
     from events where authorization_id = $1 order by sequence`,
    [id],
  );
  return rows.map((row) => ({ ...row, time: toRfc3339(row.time) }));
}
