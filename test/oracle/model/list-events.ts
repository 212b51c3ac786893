import { asItIsToday } from "./changes-of-authorizations.ts";
import { printDate, readNanoseconds } from "./dates.ts";
import { type ListRequest, pageOf, paginationOf } from "./list.ts";
import { holds } from "./permissions.ts";
import { type Event, keyOf, type World } from "./world.ts";

/** The JSON body of a request. */
export type ListEventsRequest = { pagination?: ListRequest["pagination"]; filters?: EventFilter[] };

export type EventFilter =
  | { [kind in "authorizationId" | "userId" | "projectId" | "organizationId" | "actorId"]?: { id: string } }
  | { types: { types: string[] } }
  | { time: { from?: string; to?: string } };

/** The body the service is to answer with. */
export function listEvents(world: World, callerId: string, request: ListEventsRequest): object {
  const { offset, limit, asc, skipTotal } = pageOf(request.pagination);
  const rows = world.events
    .filter((event) => seesEvent(world, callerId, event))
    .filter((event) => (request.filters ?? []).every((filter) => matches(event, filter)))
    .sort((one, other) => compareEvents(one, other) * (asc ? 1 : -1));
  return {
    pagination: paginationOf(rows.length, offset, limit, skipTotal),
    events: rows.slice(offset, offset + limit).map((row) => listed(world, row)),
  };
}

/** Its own user, and who may read today where it was. */
export function seesEvent(world: World, callerId: string, event: Event): boolean {
  return event.userId === callerId || holds(world, callerId, "read", asItIsToday(world, event));
}

function compareEvents(one: Event, other: Event): number {
  const difference = one.time - other.time || BigInt(one.sequence) - BigInt(other.sequence);
  return difference < 0n ? -1 : 1;
}

function matches(event: Event, filter: EventFilter): boolean {
  const [[kind, value] = ["", {}]]: [string, any][] = Object.entries(filter);
  switch (kind) {
    case "authorizationId":
    case "userId":
    case "projectId":
    case "organizationId":
      return value.id !== "" && value.id === event[kind];
    case "actorId":
      return value.id === (event.actorId ?? "");
    case "types":
      return value.types.includes(event.type);
    case "time": {
      const time = event.time * 1_000n;
      const isFrom = value.from === undefined || time >= readNanoseconds(value.from);
      return isFrom && (value.to === undefined || time < readNanoseconds(value.to));
    }
    default:
      throw new Error(`the model knows no filter ${kind}`);
  }
}

/** With the names of today; what is gone is called by its id. */
function listed(world: World, event: Event): object {
  const { sequence, time, type, actorId, authorizationId, userId, projectId, organizationId, projectGrantId } = event;
  const {
    id,
    name,
    organizationId: ownerId,
  } = world.projects.get(projectId) ?? {
    ...{ id: projectId, name: projectId, organizationId: "" },
  };
  return {
    sequence,
    time: printDate(time),
    type,
    ...(actorId === null ? {} : { actor: userNow(world, actorId) }),
    authorizationId,
    user: userNow(world, userId),
    project: { id, name, organizationId: ownerId },
    organization: world.organizations.get(organizationId) ?? { id: organizationId, name: organizationId },
    projectGrantId,
    roles: event.roleKeys.map((key) => {
      const { displayName, group } = world.projectRoles.get(keyOf(projectId, key)) ?? { displayName: key, group: "" };
      return { key, displayName, group };
    }),
    state: event.state ?? "STATE_UNSPECIFIED",
  };
}

function userNow(world: World, id: string): object {
  const gone = { id, preferredLoginName: "", displayName: id, avatarUrl: "", organizationId: "" };
  return world.users.get(id) ?? gone;
}
