import type { Instant, User } from "../authorization/authorization.ts";
import type { History, HistoryFilter } from "../authorization/history.ts";

/** All kinds of things whose changes have events, each after those it refers to. Postgres accepts no others. */
export const thingKinds = [
  "organization",
  "user",
  "project",
  "projectRole",
  "projectGrant",
  "administrator",
  "token",
] as const;

export type ThingKind = (typeof thingKinds)[number];

/** One change of one thing. */
export type DirectoryEvent = {
  /** A positive 64-bit number in decimal digits. */
  readonly sequence: string;
  readonly time: Instant;
  readonly kind: ThingKind;
  /** With names as in events of authorizations; null for the command line. */
  readonly actor: User | null;
  /** The same for all events of one request, those of authorizations included. */
  readonly requestId: string;
  /** May be empty. */
  readonly reason: string;
  /** Null if the change added the thing. */
  readonly before: Image | null;
  /** Null if the change removed the thing. */
  readonly after: Image | null;
};

/** A thing as the JSON of its message, without empty fields. */
export type Image = { readonly [field: string]: string | boolean | readonly string[] };

/**
 * The history of the directory and of tokens.
 *
 * A caller sees the events of things in a scope where it holds `user.grant.read` today, by where a thing was before and
 * after the change, and the events of its own entries and tokens. Events of tokens belong to no scope; apart from their
 * users, only holders of `directory.write` see them. Events from before a scope or the caller was created again under the
 * same id are not seen through it. See docs/reference/directory-history.md.
 */
export type DirectoryHistory = History<DirectoryEventFilter, DirectoryEvent>;

/** One condition. docs/reference/directory-history.md says what each one matches. */
export type DirectoryEventFilter = HistoryFilter<"id" | "userId" | "organizationId" | "projectId", ThingKind>;
