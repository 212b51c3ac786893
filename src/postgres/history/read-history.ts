import type pg from "pg";
import type { Event } from "../../authorization/event.ts";
import { withOwnConnection } from "../database/own-connection.ts";
import { roleKeysBefore, stateBefore } from "./listed-events.ts";

/** The history of one authorization, oldest first; empty if the id never existed. */
export function readHistory(connection: pg.ClientConfig, authorizationId: string): Promise<Event[]> {
  return withOwnConnection(connection, async (client) => {
    const { rows } = await client.query<Event>(selectHistory, [authorizationId]);
    return rows;
  });
}

const selectHistory = `
  select
    sequence, time, type, actor_id as "actorId", authorization_id as "authorizationId", user_id as "userId",
    project_id as "projectId", organization_id as "organizationId", project_grant_id as "projectGrantId",
    role_keys as "roleKeys", state, ${roleKeysBefore} as "roleKeysBefore", ${stateBefore} as "stateBefore",
    request_id as "requestId", reason
  from events e
  where authorization_id = $1::text
  order by sequence`;
