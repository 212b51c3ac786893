import type pg from "pg";
import type { Event } from "../../authorization/event.ts";
import { withClient } from "../directory-store.ts";

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
