export type World = ReturnType<typeof emptyWorld>;

export type HistoryLength = { events: number; directoryEvents: number };

/** A token as events have it. */
export type Token = { id: string };

export type Organization = { id: string; name: string };
export type User = {
  id: string;
  organizationId: string;
  preferredLoginName: string;
  displayName: string;
  avatarUrl: string;
};
export type Project = { id: string; organizationId: string; name: string };
export type ProjectRole = {
  projectId: string;
  key: string;
  displayName: string;
  group: string;
  description?: string | undefined;
};
export type ProjectGrant = { id: string; projectId: string; organizationId: string; roleKeys: string[] };
export type Scope =
  | { instance: true }
  | { organizationId: string }
  | { projectId: string }
  | { projectGrantId: string };
export type Administrator = { userId: string; scope: Scope; roles: string[] };
export type State = "STATE_ACTIVE" | "STATE_INACTIVE";

/** Where an authorization is; the grant is empty when the organization owns the project. */
export type Place = { projectId: string; organizationId: string; projectGrantId: string };

/** Dates are microseconds since 1970. */
export type Authorization = Place & {
  id: string;
  userId: string;
  roleKeys: string[];
  state: State;
  creationDate: bigint;
  changeDate: bigint;
  expirationDate: bigint | null;
  /** Whether it is inactive only because its end has passed. */
  expired: boolean;
  /** Whether the event of its end is still to come. */
  isDue: boolean;
};

/** Without state and keys when the authorization was removed; without an actor when the command line did it. */
export type Event = Place & {
  /** What the service numbered it, once that is known. */
  sequence: string;
  type: string;
  time: bigint;
  actorId: string | null;
  authorizationId: string;
  userId: string;
  roleKeys: string[];
  state: State | null;
  /** What it was before; nothing, and in no state, when it was added. */
  roleKeysBefore: string[];
  stateBefore: State | null;
  expirationDate: bigint | null;
  expirationDateBefore: bigint | null;
  /** What the service called the request, once that is known. */
  requestId: string;
  reason: string;
};

/** One change of a thing in the directory, or of a token: docs/reference/directory-history.md. */
export type DirectoryEvent = {
  /** What the service numbered it, and when, once that is known. */
  sequence: string;
  time: bigint;
  kind: string;
  id: string;
  within: string;
  userId: string | null;
  actorId: string | null;
  /** What the service called the request, once that is known. */
  requestId: string;
  reason: string;
  before: object | null;
  after: object | null;
  /** The places it belongs to, as `kind:id`, sorted. */
  places: string[];
};

/**
 * Everything the service knows, as plain maps. The model reads docs/reference/ as literally as it can, and shares
 * no code with the service: the two can only agree by both being right.
 */
export function emptyWorld() {
  return {
    organizations: new Map<string, Organization>(),
    users: new Map<string, User>(),
    projects: new Map<string, Project>(),
    /** By project and key, see keyOf. */
    projectRoles: new Map<string, ProjectRole>(),
    projectGrants: new Map<string, ProjectGrant>(),
    /** By user and scope, see keyOf. */
    administrators: new Map<string, Administrator>(),
    authorizations: new Map<string, Authorization>(),
    /** The end that each was left with by its last event, or by the clock. */
    ends: new Map<string, bigint | null>(),
    /** The token of each user whose token is good. */
    tokens: new Map<string, Token>(),
    /** The id of the token that a token was made with, by its own id. Neither has to be good any more. */
    madeWith: new Map<string, string>(),
    /** Every event there ever was, oldest first. */
    events: [] as Event[],
    /** The last removal of each thing by kind and id: where it was, and how many events there were then. */
    removed: new Map<string, { organizationId: string } & HistoryLength>(),
    /** The same of the directory. */
    directoryEvents: [] as DirectoryEvent[],
    /** How many events of both are archived. */
    kept: { events: 0, directoryEvents: 0 } as HistoryLength,
  };
}

/** What the model cannot know: the clock and the ids the service makes. */
export type Given = {
  /** When the service says this authorization was changed, which has to be now and after an earlier date. */
  now(authorizationId: string, after: bigint | undefined): bigint;
  isPast(date: bigint): boolean;
};

/** One key for things that have no id of their own. */
export function keyOf(...parts: unknown[]): string {
  return JSON.stringify(parts);
}

/** Where an authorization for the project in the organization would be. */
export function placeOf(world: World, projectId: string, organizationId: string): Place | undefined {
  if (world.projects.get(projectId)?.organizationId === organizationId) {
    return { projectId, organizationId, projectGrantId: "" };
  }
  for (const grant of world.projectGrants.values()) {
    if (grant.projectId === projectId && grant.organizationId === organizationId) {
      return { projectId, organizationId, projectGrantId: grant.id };
    }
  }
  return undefined;
}

/** The keys that are no role of the project or, on a grant, not among its keys. */
export function notAssignable(world: World, place: Place, keys: readonly string[]): string[] {
  return keys.filter((key) => {
    if (!world.projectRoles.has(keyOf(place.projectId, key))) return true;
    return place.projectGrantId !== "" && !world.projectGrants.get(place.projectGrantId)?.roleKeys.includes(key);
  });
}

/** Whether an event is younger than the last removal of a thing: older ones are not those of a new thing with its id. */
export function isSinceRemoval(world: World, kind: string, id: string, event: Event): boolean {
  const removal = world.removed.get(keyOf(kind, id));
  return removal === undefined || world.events.indexOf(event) >= removal.events;
}

/** How much has happened. */
export function lengthOf({ events, directoryEvents }: World): HistoryLength {
  return { events: events.length, directoryEvents: directoryEvents.length };
}

/** The events that are not archived. */
export function keptEvents({ events, kept }: World): Event[] {
  return events.slice(kept.events);
}

/** Appends the event that says what became of an authorization; a removed one has nothing left but its place. */
export function append(
  world: World,
  type: string,
  actorId: string | null,
  authorization: Authorization,
  time: bigint,
): void {
  const { id, userId, projectId, organizationId, projectGrantId, state, roleKeys } = authorization;
  const after = type.endsWith(".removed")
    ? { roleKeys: [], state: null, expirationDate: null }
    : { roleKeys: sortedKeys(roleKeys), state, expirationDate: authorization.expirationDate };
  // Even if it is archived.
  const last = type.endsWith(".added") ? undefined : world.events.findLast((event) => event.authorizationId === id);
  const before = { roleKeysBefore: last?.roleKeys ?? [], stateBefore: last?.state ?? null };
  const expirationDateBefore = type.endsWith(".added") ? null : (world.ends.get(id) ?? null);
  world.ends.set(id, after.expirationDate);
  const what = { authorizationId: id, userId, projectId, organizationId, projectGrantId };
  const request = { requestId: "", reason: "" };
  world.events.push({
    sequence: "",
    type,
    time,
    actorId,
    ...what,
    ...after,
    ...before,
    expirationDateBefore,
    ...request,
  });
}

/** What is shown from its end on, if it is in force before. */
export function end(world: World, authorization: Authorization): void {
  const { expirationDate, changeDate } = authorization;
  if (authorization.state !== "STATE_ACTIVE" || expirationDate === null) return;
  authorization.state = "STATE_INACTIVE";
  authorization.expired = true;
  authorization.changeDate = expirationDate > changeDate ? expirationDate : changeDate + 1n;
  authorization.isDue = true;
  world.authorizations.set(authorization.id, authorization);
}

/** Comes before every other event of it. */
export function appendEnd(world: World, authorization: Authorization): void {
  if (!authorization.isDue) return;
  authorization.isDue = false;
  append(world, "user.grant.expired", null, authorization, authorization.changeDate);
}

export function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return keyOf(...sortedKeys(one)) === keyOf(...sortedKeys(other));
}

export function sortedKeys(keys: readonly string[]): string[] {
  return [...keys].sort(compareTexts);
}

/** Ids and keys compare by code point. */
export function compareTexts(one: string, other: string): number {
  const [left, right] = [[...one], [...other]];
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
