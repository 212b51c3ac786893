import { mayKnow } from "./caller.ts";
import { asItIsToday } from "./changes-of-authorizations.ts";
import { printDate } from "./dates.ts";
import { isWithin, type ListRequest, pageOf, paginationOf } from "./list.ts";
import { holds } from "./permissions.ts";
import { nameless, userWhenRemoved, whenRemoved } from "./removals.ts";
import { type Event, isSinceRemoval, keptEvents, keyOf, type World } from "./world.ts";

/** The JSON body of a request. */
export type ListEventsRequest = { pagination?: ListRequest["pagination"]; filters?: EventFilter[] };

export type EventFilter =
  | { [kind in "authorizationId" | "userId" | "projectId" | "organizationId" | "actorId"]?: { id: string } }
  | { types: { types: string[] } }
  | { time: { from?: string; to?: string } };

/** The body the service is to answer with. */
export function listEvents(world: World, callerId: string, request: ListEventsRequest): object {
  const seen = keptEvents(world).filter((event) => seesEvent(world, callerId, event));
  return listHistory(request, seen, matches, (event) => listed(world, callerId, event));
}

/** A page of what matches. More than 10,000 events are told as 10,001. */
export function listHistory<One extends Ordered, Filter>(
  { pagination: asked, filters = [] }: { pagination?: ListRequest["pagination"]; filters?: Filter[] },
  seen: readonly One[],
  matches: (event: One, filter: Filter) => boolean,
  listed: (event: One) => object,
): object {
  const { offset, limit, asc, skipTotal } = pageOf(asked);
  const rows = seen
    .filter((event) => filters.every((filter) => matches(event, filter)))
    .sort((one, other) => compareEvents(one, other) * (asc ? 1 : -1));
  const pagination = paginationOf(rows.length, offset, limit, skipTotal);
  return {
    pagination: skipTotal ? pagination : { ...pagination, totalResult: Math.min(rows.length, 10_001) },
    events: rows.slice(offset, offset + limit).map(listed),
  };
}

/** Its own user, and who may read today where it was. */
export function seesEvent(world: World, callerId: string, event: Event): boolean {
  const isOwn = event.userId === callerId && isSinceRemoval(world, "user", callerId, event);
  return isOwn || holds(world, callerId, "read", asItIsToday(world, event));
}

/** Oldest first. Events of the same time are in the order of their sequences. */
function compareEvents(one: Ordered, other: Ordered): number {
  const difference = one.time - other.time || BigInt(one.sequence) - BigInt(other.sequence);
  return difference < 0n ? -1 : 1;
}

type Ordered = Pick<Event, "time" | "sequence">;

function matches(event: Event, filter: EventFilter): boolean {
  const [[kind, value] = ["", {}]]: [string, any][] = Object.entries(filter);
  switch (kind) {
    case "authorizationId":
    case "userId":
    case "projectId":
    case "organizationId":
      return value.id !== "" && value.id === event[kind];
    case "actorId":
      return event.type !== "user.grant.expired" && value.id === (event.actorId ?? "");
    case "types":
      return value.types.includes(event.type);
    case "time":
      return isWithin(event.time, value);
    default:
      throw new Error(`the model knows no filter ${kind}`);
  }
}

/** With the names of today, or the last ones. What is hidden today is called by its id. The actor is only hidden if it is gone. */
function listed(world: World, callerId: string, event: Event): object {
  const { sequence, time, type, actorId, authorizationId, userId, projectGrantId } = event;
  return {
    sequence,
    time: printDate(time),
    type,
    ...(actorId === null ? {} : { actor: userNow(world, callerId, actorId, event) }),
    authorizationId,
    user: userNow(world, callerId, userId, event, mayKnow(world, callerId, userId)),
    project: projectNow(world, callerId, event),
    organization: organizationNow(world, callerId, event),
    projectGrantId,
    roles: event.roleKeys.map((key) => roleNow(world, event, key)),
    state: event.state ?? "STATE_UNSPECIFIED",
    roleKeysBefore: event.roleKeysBefore,
    stateBefore: event.stateBefore ?? "STATE_UNSPECIFIED",
    ...(event.expirationDate !== null && { expirationDate: printDate(event.expirationDate) }),
    ...(event.expirationDateBefore !== null && { expirationDateBefore: printDate(event.expirationDateBefore) }),
    requestId: event.requestId,
    reason: event.reason,
  };
}

/** What was removed since is another thing today. */
function organizationNow(world: World, callerId: string, event: Event): object {
  const { organizationId: id } = event;
  const isSame = isSinceRemoval(world, "organization", id, event);
  const gone = isSame ? undefined : whenRemoved(world, callerId, "organization", id, event.time);
  return (isSame ? world.organizations.get(id) : undefined) ?? { id, name: gone?.name ?? id };
}

/** The project, when the event's place is still the same: owned by that organization, or granted to it by that grant. */
function placeNow(world: World, event: Event) {
  const { projectId, organizationId, projectGrantId } = event;
  const project = isSinceRemoval(world, "project", projectId, event) ? world.projects.get(projectId) : undefined;
  const isSameGrant = isSinceRemoval(world, "projectGrant", projectGrantId, event);
  const grant = isSameGrant ? world.projectGrants.get(projectGrantId) : undefined;
  const isOwned = projectGrantId === "" && project?.organizationId === organizationId;
  const isGranted = grant?.projectId === projectId && grant.organizationId === organizationId;
  return isOwned || isGranted ? project : undefined;
}

function projectNow(world: World, callerId: string, event: Event): object {
  const isSame = isSinceRemoval(world, "project", event.projectId, event);
  const gone = isSame ? undefined : whenRemoved(world, callerId, "project", event.projectId, event.time);
  const { id, name, organizationId } = placeNow(world, event) ?? {
    ...{ id: event.projectId, name: gone?.name ?? event.projectId, organizationId: "" },
  };
  return { id, name, organizationId };
}

/** On a grant, only those it may use today have a name. */
function roleNow(world: World, event: Event, key: string): object {
  const isUsable = event.projectGrantId === "" || world.projectGrants.get(event.projectGrantId)?.roleKeys.includes(key);
  const role = placeNow(world, event) && isUsable ? world.projectRoles.get(keyOf(event.projectId, key)) : undefined;
  return { key, displayName: role?.displayName ?? key, group: role?.group ?? "" };
}

function userNow(world: World, callerId: string, id: string, event: Event, isKnown = true): object {
  const user = isSinceRemoval(world, "user", id, event) ? world.users.get(id) : undefined;
  if (user !== undefined) return isKnown ? user : nameless(id);
  return userWhenRemoved(world, callerId, id, event.time);
}
