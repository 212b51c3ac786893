import { printDate } from "./dates.ts";
import { type ListRequest, pageOf } from "./list.ts";
import { compareEvents, historyPaginationOf, isWithin, nameless } from "./list-events.ts";
import { entriesWith, holdsEverywhere } from "./permissions.ts";
import { type DirectoryEvent, keyOf, type Scope, type World } from "./world.ts";

/** The JSON body of a request. */
export type ListDirectoryEventsRequest = {
  pagination?: ListRequest["pagination"];
  filters?: DirectoryEventFilter[];
};

export type DirectoryEventFilter =
  | { [kind in "id" | "userId" | "actorId" | "organizationId" | "projectId"]?: { id: string } }
  | { kinds: { kinds: string[] } }
  | { time: { from?: string; to?: string } };

/** The body the service is to answer with. */
export function listDirectoryEvents(world: World, callerId: string, request: ListDirectoryEventsRequest): object {
  const { offset, limit, asc, skipTotal } = pageOf(request.pagination);
  const rows = world.directoryEvents
    .slice(world.kept.directoryEvents)
    .filter((event) => seesDirectoryEvent(world, callerId, event))
    .filter((event) => (request.filters ?? []).every((filter) => matches(event, filter)))
    .sort((one, other) => compareEvents(one, other) * (asc ? 1 : -1));
  return {
    pagination: historyPaginationOf(rows.length, offset, limit, skipTotal),
    events: rows.slice(offset, offset + limit).map((row) => listed(world, row)),
  };
}

/** Its own entries and tokens; and what is in a place where it may read today, or everything, but for tokens of others. */
export function seesDirectoryEvent(world: World, callerId: string, event: DirectoryEvent): boolean {
  if (holdsEverywhere(world, callerId, "directory")) return true;
  const isOwn = event.userId === callerId && ["administrator", "token"].includes(event.kind);
  if (isOwn && isSinceRemoval(world, "user", callerId, event)) return true;
  if (event.kind === "token") return false;
  const isIn = (scope: Scope, place: (kind: string) => string | undefined) => {
    if ("instance" in scope) return true;
    const [[field = "", id = ""] = []] = Object.entries(scope);
    const kind = field.slice(0, -"Id".length);
    return event.places.includes(`${place(kind)}:${id}`) && isSinceRemoval(world, kind, id, event);
  };
  return (
    entriesWith(world, callerId, "read").some(({ scope }) => isIn(scope, (kind) => kind)) ||
    entriesWith(world, callerId, "grant").some(({ scope }) => isIn(scope, (kind) => ownersSide[kind]))
  );
}

/** Where a grant is on the side of the project's owner. Only those who may change the project's grants see it there. */
const ownersSide: Record<string, string> = { organization: "grantOwner", project: "grantedProject" };

/** Whether an event is younger than the last removal of a thing. */
function isSinceRemoval(world: World, kind: string, id: string, event: DirectoryEvent): boolean {
  const removal = world.removed.get(keyOf(kind, id));
  return removal === undefined || world.directoryEvents.indexOf(event) >= removal.directoryEvents;
}

function matches(event: DirectoryEvent, filter: DirectoryEventFilter): boolean {
  const [[kind, value] = ["", {}]]: [string, any][] = Object.entries(filter);
  switch (kind) {
    case "id":
    case "userId":
      return value.id !== "" && value.id === event[kind];
    case "actorId":
      return value.id === (event.actorId ?? "");
    case "organizationId":
    case "projectId": {
      const place = kind.slice(0, -"Id".length);
      return [place, ownersSide[place]].some((one) => event.places.includes(`${one}:${value.id}`));
    }
    case "kinds":
      return value.kinds.includes(event.kind);
    case "time":
      return isWithin(event.time, value);
    default:
      throw new Error(`the model knows no filter ${kind}`);
  }
}

function listed(world: World, event: DirectoryEvent): object {
  const { sequence, time, kind, actorId, requestId, reason, before, after } = event;
  const actor =
    actorId !== null && isSinceRemoval(world, "user", actorId, event) ? world.users.get(actorId) : undefined;
  return {
    sequence,
    time: printDate(time),
    ...(actorId === null ? {} : { actor: actor ?? nameless(actorId) }),
    requestId,
    reason,
    ...(before === null ? {} : { before: { [kind]: before } }),
    ...(after === null ? {} : { after: { [kind]: after } }),
  };
}
