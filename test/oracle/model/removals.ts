import { entriesWith, holdsEverywhere } from "./permissions.ts";
import { type DirectoryEvent, keyOf, type Scope, type World } from "./world.ts";

/** The last names, without an organization, for those who see the removal. */
export function userWhenRemoved(world: World, callerId: string, id: string, time: bigint): object {
  const gone = whenRemoved(world, callerId, "user", id, time);
  return gone === undefined ? nameless(id) : { ...gone, organizationId: "" };
}

/** As it was when it was first removed from that time on, or else last, for those who see that. */
export function whenRemoved(world: World, callerId: string, kind: string, id: string, time: bigint): any {
  const removals = world.directoryEvents
    .slice(world.kept.directoryEvents)
    .filter((one) => one.kind === kind && one.id === id && one.after === null);
  const removal = removals.find((one) => one.time >= time) ?? removals.at(-1);
  return removal !== undefined && seesDirectoryEvent(world, callerId, removal) ? removal.before : undefined;
}

export function nameless(id: string): object {
  return { id, preferredLoginName: "", displayName: id, avatarUrl: "", organizationId: "" };
}

/** Its own entries and tokens; and what is in a place where it may read today, or everything, but for tokens of others. */
export function seesDirectoryEvent(world: World, callerId: string, event: DirectoryEvent): boolean {
  if (holdsEverywhere(world, callerId, "directory")) return true;
  const isOwn = event.userId === callerId && ["administrator", "token"].includes(event.kind);
  if (isOwn && !isOlderThanRemoval(world, "user", callerId, event)) return true;
  if (event.kind === "token") return false;
  const isIn = (scope: Scope, place: (kind: string) => string | undefined) => {
    if ("instance" in scope) return true;
    const [[field = "", id = ""] = []] = Object.entries(scope);
    const kind = field.slice(0, -"Id".length);
    return event.places.includes(`${place(kind)}:${id}`) && !isOlderThanRemoval(world, kind, id, event);
  };
  return (
    entriesWith(world, callerId, "read").some(({ scope }) => isIn(scope, (kind) => kind)) ||
    entriesWith(world, callerId, "grant").some(({ scope }) => isIn(scope, (kind) => ownersSide[kind]))
  );
}

/** Where a grant is on the side of the project's owner. Only those who may change the project's grants see it there. */
export const ownersSide: Record<string, string> = { organization: "grantOwner", project: "grantedProject" };

/** Whether an event is no younger than the last removal of a thing. */
export function isOlderThanRemoval(world: World, kind: string, id: string, event: DirectoryEvent): boolean {
  const removal = world.removed.get(keyOf(kind, id));
  return removal !== undefined && world.directoryEvents.indexOf(event) < removal.directoryEvents;
}
