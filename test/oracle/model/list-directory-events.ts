import { printDate } from "./dates.ts";
import { isWithin, type ListRequest } from "./list.ts";
import { listHistory } from "./list-events.ts";
import { isOlderThanRemoval, ownersSide, seesDirectoryEvent, userWhenRemoved } from "./removals.ts";
import type { DirectoryEvent, World } from "./world.ts";

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
  const kept = world.directoryEvents.slice(world.kept.directoryEvents);
  const seen = kept.filter((event) => seesDirectoryEvent(world, callerId, event));
  return listHistory(request, seen, matches, (event) => listed(world, callerId, event));
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

function listed(world: World, callerId: string, event: DirectoryEvent): object {
  const { sequence, time, kind, actorId, requestId, reason, before, after } = event;
  const actor =
    actorId !== null && !isOlderThanRemoval(world, "user", actorId, event) ? world.users.get(actorId) : undefined;
  return {
    sequence,
    time: printDate(time),
    ...(actorId === null ? {} : { actor: actor ?? userWhenRemoved(world, callerId, actorId, time) }),
    requestId,
    reason,
    ...(before === null ? {} : { before: { [kind]: before } }),
    ...(after === null ? {} : { after: { [kind]: after } }),
  };
}
