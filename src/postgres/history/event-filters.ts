import sql, { type Sql } from "sql-template-tag";
import type { Instant } from "../../authorization/authorization.ts";
import type { EventType } from "../../authorization/event.ts";
import type { EventFilter } from "../../authorization/history.ts";
import { isWithin } from "../page/comparisons.ts";

/** All filters combined: at most one id of each kind, some types, and one time range. */
export type EventNarrowing = {
  readonly authorizationId?: string;
  readonly userId?: string;
  readonly projectId?: string;
  readonly organizationId?: string;
  /** Empty for the command line. */
  readonly actorId?: string;
  readonly types?: readonly EventType[];
  readonly from?: Instant;
  readonly to?: Instant;
};

/** Undefined if nothing can match: an empty id, two different ids, or types without overlap. */
export function narrowEvents(filters: readonly EventFilter[]): EventNarrowing | undefined {
  const narrowing: { -readonly [Key in keyof EventNarrowing]: EventNarrowing[Key] } = {};
  for (const filter of filters) {
    if (filter.kind === "types") {
      narrowing.types = (narrowing.types ?? filter.types).filter((type) => filter.types.includes(type));
      if (narrowing.types.length === 0) return undefined;
    } else if (filter.kind === "time") {
      const { from, to } = filter.range;
      if (from !== undefined) narrowing.from = latest(narrowing.from, from);
      if (to !== undefined) narrowing.to = earliest(narrowing.to, to);
    } else {
      narrowing[filter.kind] ??= filter.id;
      if (narrowing[filter.kind] !== filter.id) return undefined;
      if (filter.id === "" && filter.kind !== "actorId") return undefined;
    }
  }
  return narrowing;
}

/** Whether stored numbers say how many events match. */
export function isKept({ authorizationId, userId, actorId, from, to }: EventNarrowing): boolean {
  return [authorizationId, userId, actorId, from, to].every((one) => one === undefined);
}

/** The time conditions on an event `e`, in a form that every index can use as its second column. */
export function inTime({ from, to }: EventNarrowing): Sql[] {
  return from === undefined && to === undefined ? [] : [isWithin(sql`e.time`, { from, to })];
}

/** Conditions on an event `e`, in a form that keeps Postgres from choosing an index with an unsuitable order. */
export function rowConditions(narrowing: EventNarrowing): Sql[] {
  const { authorizationId, userId, projectId, organizationId, actorId, types } = narrowing;
  const conditions: Sql[] = [];
  if (authorizationId !== undefined) conditions.push(sql`(e.authorization_id = ${authorizationId}::text) is true`);
  if (userId !== undefined) conditions.push(sql`(e.user_id = ${userId}::text) is true`);
  if (projectId !== undefined) conditions.push(sql`(e.project_id = ${projectId}::text) is true`);
  if (organizationId !== undefined) conditions.push(sql`(e.organization_id = ${organizationId}::text) is true`);
  if (actorId !== undefined) conditions.push(sql`(${isActor(actorId)}) is true`);
  if (types !== undefined) conditions.push(sql`(e.type = any(${types}::text[])) is true`);
  return conditions;
}

/** True for an event `e` by this user or, for an empty id, by the command line. */
export function isActor(actorId: string): Sql {
  return actorId === "" ? sql`e.actor_id is null` : sql`e.actor_id = ${actorId}::text`;
}

function latest(one: Instant | undefined, other: Instant): Instant {
  return one !== undefined && one > other ? one : other;
}

function earliest(one: Instant | undefined, other: Instant): Instant {
  return one !== undefined && one < other ? one : other;
}
