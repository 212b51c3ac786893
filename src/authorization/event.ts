import type { Instant, Organization, Project, Role, State, User } from "./authorization.ts";

/** All types of events (docs/reference/history.md). Postgres accepts no others. */
export const eventTypes = [
  "user.grant.added",
  "user.grant.changed",
  "user.grant.deactivated",
  "user.grant.reactivated",
  "user.grant.removed",
  "user.grant.expired",
  "user.grant.cascade.changed",
  "user.grant.cascade.removed",
] as const;

export type EventType = (typeof eventTypes)[number];

/**
 * One change of an authorization, with current names, or the last ones of what was removed, for those who see its removal. For
 * others, and for what the caller may no longer see, the id takes the place of the name, and the rest is empty.
 */
export type NamedEvent = {
  /** A positive 64-bit number in decimal digits. It rises with each change of the same authorization. */
  readonly sequence: string;
  readonly time: Instant;
  readonly type: EventType;
  readonly authorizationId: string;
  /** Empty when the organization owns the project. */
  readonly projectGrantId: string;
  /** Null for a removal. */
  readonly state: State | null;
  /** Sorted; empty when the authorization was added. */
  readonly roleKeysBefore: readonly string[];
  /** Null when the authorization was added. */
  readonly stateBefore: State | null;
  /** Null for a removal, and if it doesn't end. */
  readonly expirationDate: Instant | null;
  /** Null when the authorization was added, and if it didn't end. */
  readonly expirationDateBefore: Instant | null;
  /** The same for all events of one request. Empty for an end. */
  readonly requestId: string;
  /** May be empty. */
  readonly reason: string;
  /** Null for the command line and for an end. */
  readonly actor: User | null;
  readonly user: User;
  readonly project: Project;
  readonly organization: Organization;
  /** Sorted by key. */
  readonly roles: readonly Role[];
};
