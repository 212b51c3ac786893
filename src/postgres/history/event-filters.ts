import sql, { raw, type Sql } from "sql-template-tag";
import type { EventType } from "../../authorization/event.ts";
import { isActor, type Narrowing } from "./narrowing.ts";

/** All filters combined. An empty `actorId` stands for the command line. */
export type EventNarrowing = Narrowing<
  "authorizationId" | "userId" | "projectId" | "organizationId" | "actorId",
  EventType
>;

/** Whether stored numbers say how many events match. */
export function isKept({ authorizationId, userId, actorId, from, to }: EventNarrowing): boolean {
  return [authorizationId, userId, actorId, from, to].every((one) => one === undefined);
}

/**
 * Whether the plan of a list is the same for all values of its filters. One assignment and one user have few events, and
 * an index leads to them. How many a time range or an actor has is told by their values.
 */
export function isPlannedOnce({ actorId, from, to }: EventNarrowing): boolean {
  return [actorId, from, to].every((one) => one === undefined);
}

/**
 * Conditions on an event `e`.
 *
 * @param hint a form that keeps Postgres from choosing an index with an unsuitable order; empty where the order doesn't
 *   matter
 */
export function rowConditions(narrowing: EventNarrowing, hint = raw(" is true")): Sql[] {
  const { authorizationId, userId, projectId, organizationId, actorId, types } = narrowing;
  const conditions: Sql[] = [];
  if (authorizationId !== undefined) conditions.push(sql`(e.authorization_id = ${authorizationId}::text)${hint}`);
  if (userId !== undefined) conditions.push(sql`(e.user_id = ${userId}::text)${hint}`);
  if (projectId !== undefined) conditions.push(sql`(e.project_id = ${projectId}::text)${hint}`);
  if (organizationId !== undefined) conditions.push(sql`(e.organization_id = ${organizationId}::text)${hint}`);
  if (actorId !== undefined) conditions.push(sql`(${isActor(actorId)})${hint}`);
  if (types !== undefined) conditions.push(sql`(e.type = any(${types}::text[]))${hint}`);
  return conditions;
}
