import type { Authorization, Instant, Role, State } from "./authorization.ts";

/** Every type of event there is (docs/reference/history.md); Postgres keeps no other. */
export const eventTypes = [
  "user.grant.added",
  "user.grant.changed",
  "user.grant.deactivated",
  "user.grant.reactivated",
  "user.grant.removed",
  "user.grant.cascade.changed",
  "user.grant.cascade.removed",
] as const;

export type EventType = (typeof eventTypes)[number];

/** What every event says besides whom and what it is about. */
type Happening = {
  /** A positive 64-bit number in decimal digits; follows the order of changes within one authorization. */
  readonly sequence: string;
  readonly time: Instant;
  readonly type: EventType;
  readonly authorizationId: string;
  /** Empty when the organization owns the project. */
  readonly projectGrantId: string;
  /** Null once the authorization is removed. */
  readonly state: State | null;
  /** Sorted; none when the authorization was added. */
  readonly roleKeysBefore: readonly string[];
  /** Null when the authorization was added. */
  readonly stateBefore: State | null;
};

/** One change of an authorization, as it is kept. */
export type Event = Happening & {
  /** The acting user; null for the command line. */
  readonly actorId: string | null;
  readonly userId: string;
  readonly projectId: string;
  readonly organizationId: string;
  readonly roleKeys: readonly string[];
};

/** The same with the names of today. What is gone has its id for a name, and nothing else. */
export type NamedEvent = Happening & {
  /** Null for the command line. */
  readonly actor: Authorization["user"] | null;
  readonly user: Authorization["user"];
  readonly project: Authorization["project"];
  readonly organization: Authorization["organization"];
  /** Sorted by key. */
  readonly roles: readonly Role[];
};
