import { type DirectoryEvent, keyOf, type Scope, sortedKeys, type World } from "./world.ts";

/** A thing as an event has it: the JSON of its message with every field. */
type Thing = Pick<DirectoryEvent, "kind" | "id" | "within" | "userId" | "places"> & { image: object };

/**
 * Appends the events of everything that is gone, and returns what appends all others. In between, the history notes which events
 * are older than a new thing with an old id.
 *
 * @param removed the world after the removals
 */
export function appendDirectoryEvents(world: World, removed: World, after: World, actorId: string | null): () => void {
  const [old, left, now] = [thingsIn(world), thingsIn(removed), thingsIn(after)];
  const append = (thing: Thing, before: object | null, image: object | null, places: string[]) =>
    after.directoryEvents.push(eventOf(thing, before, image, places, actorId));
  for (const [key, thing] of old) {
    if (!left.has(key) || !now.has(key)) append(thing, thing.image, null, thing.places);
  }
  return () => {
    for (const [key, thing] of now) {
      // One that was removed and added again is a new one.
      const before = left.has(key) ? old.get(key) : undefined;
      if (before !== undefined && keyOf(before.image) === keyOf(thing.image)) continue;
      append(thing, before?.image ?? null, thing.image, [...(before?.places ?? []), ...thing.places]);
    }
  };
}

/** A token's dates, and so its image, are only known once it is there. */
export function appendTokenEvent(
  world: World,
  userId: string,
  before: object | null,
  after: object | null,
  actorId: string | null = null,
): void {
  const { id } = (before ?? after) as { id: string };
  const thing = { kind: "token", id, within: "", userId };
  world.directoryEvents.push(eventOf(thing, before, after, [], actorId));
}

function eventOf(
  { kind, id, within, userId }: Omit<Thing, "places" | "image">,
  before: object | null,
  after: object | null,
  places: string[],
  actorId: string | null,
): DirectoryEvent {
  const told = { sequence: "", time: 0n, requestId: "", reason: "" };
  return { ...told, kind, id, within, userId, actorId, before, after, places: [...new Set(places)].sort() };
}

function thingsIn(world: World): Map<string, Thing> {
  const things = new Map<string, Thing>();
  const add = (thing: Thing) => things.set(keyOf(thing.kind, thing.id, thing.within), thing);
  const ownerOf = (projectId: string) => `organization:${world.projects.get(projectId)?.organizationId}`;
  const plain = { within: "", userId: null };
  for (const organization of world.organizations.values()) {
    const { id, name } = organization;
    add({ ...plain, kind: "organization", id, image: { id, name }, places: [`organization:${id}`] });
  }
  for (const user of world.users.values()) {
    const { id, organizationId } = user;
    add({ ...plain, kind: "user", id, userId: id, image: { ...user }, places: [`organization:${organizationId}`] });
  }
  for (const project of world.projects.values()) {
    const { id } = project;
    add({ ...plain, kind: "project", id, image: { ...project }, places: [ownerOf(id), `project:${id}`] });
  }
  for (const role of world.projectRoles.values()) {
    const { projectId, key } = role;
    const places = [ownerOf(projectId), `project:${projectId}`];
    add({ ...plain, kind: "projectRole", id: key, within: projectId, image: { ...role }, places });
  }
  for (const grant of world.projectGrants.values()) {
    const { id, projectId, organizationId } = grant;
    const image = { ...grant, roleKeys: sortedKeys(grant.roleKeys) };
    const owner = `grantOwner:${world.projects.get(projectId)?.organizationId}`;
    const places = [owner, `organization:${organizationId}`, `grantedProject:${projectId}`, `projectGrant:${id}`];
    add({ ...plain, kind: "projectGrant", id, image, places });
  }
  for (const { userId, scope, roles } of world.administrators.values()) {
    const image = { userId, ...scope, roles: [...roles].sort() };
    const { within, places } = whereIs(world, scope);
    add({ kind: "administrator", id: userId, within, userId, image, places });
  }
  for (const [userId, image] of world.tokens) {
    add({ kind: "token", id: image.id, within: "", userId, image, places: [] });
  }
  return things;
}

/** The granted side's entries are not the owner's. */
function whereIs(world: World, scope: Scope): Pick<Thing, "within" | "places"> {
  if ("instance" in scope) return { within: "instance:", places: [] };
  if ("organizationId" in scope) {
    const within = `organization:${scope.organizationId}`;
    return { within, places: [within] };
  }
  if ("projectId" in scope) {
    const within = `project:${scope.projectId}`;
    return { within, places: [within, `organization:${world.projects.get(scope.projectId)?.organizationId}`] };
  }
  const within = `projectGrant:${scope.projectGrantId}`;
  return { within, places: [within, `organization:${world.projectGrants.get(scope.projectGrantId)?.organizationId}`] };
}
