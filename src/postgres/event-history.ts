import type pg from "pg";
import type { Instant, State } from "../authorization/authorization.ts";
import { withClient } from "./directory-store.ts";

/** One change of an authorization (docs/reference.md, "Events"). */
export type Event = {
  readonly sequence: string;
  readonly time: Instant;
  readonly type: string;
  /** The acting user; null for the command line. */
  readonly actorId: string | null;
  readonly authorizationId: string;
  readonly userId: string;
  readonly projectId: string;
  readonly organizationId: string;
  readonly projectGrantId: string;
  readonly roleKeys: readonly string[];
  /** Null once the authorization is removed. */
  readonly state: State | null;
};

/** The history of one authorization, oldest first; empty for an id that never was. */
export function readHistory(connection: pg.ClientConfig, authorizationId: string): Promise<Event[]> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<Event>(selectHistory, [authorizationId]);
    return rows;
  });
}

const selectHistory = `
  select
    sequence, time, type, actor_id as "actorId", authorization_id as "authorizationId", user_id as "userId",
    project_id as "projectId", organization_id as "organizationId", project_grant_id as "projectGrantId",
    role_keys as "roleKeys", state
  from events
  where authorization_id = $1::text
  order by sequence`;
