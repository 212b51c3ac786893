import type { Instant, LockedAuthorization, Place, RemovedAuthorization } from "./authorization.ts";
import type { ListQuery, Page } from "./list.ts";
import type { Visibility } from "./permissions.ts";

/**
 * Where authorizations are kept.
 *
 * Every method takes the signal of the request it works for. When that aborts, the statement that is
 * running is cancelled inside the database and the call rejects with the signal's reason. Any call may
 * throw the refusals DATABASE_UNAVAILABLE and OVERLOADED.
 */
export type AuthorizationStore = {
  /** One page of what matches and is visible. The total and the page are of one moment. */
  list(visibility: Visibility, query: ListQuery, signal: AbortSignal): Promise<Page>;

  /**
   * Runs work in one transaction: what it did is durable when the call resolves, and undone when work
   * throws. Every change in it appends one event made by the acting user.
   */
  change<T>(actorId: string, signal: AbortSignal, work: (change: AuthorizationChange) => Promise<T>): Promise<T>;
};

/** What can be done within one transaction. */
export type AuthorizationChange = {
  /** Finds an authorization among the visible ones and keeps others from changing it until the end. */
  lockVisible(visibility: Visibility, id: string): Promise<LockedAuthorization | undefined>;

  /** The last removal of an id that is not there any more; undefined when it is there or never was. */
  findRemoved(id: string): Promise<RemovedAuthorization | undefined>;

  /** The keys an authorization holds now, sorted. */
  roleKeys(authorization: LockedAuthorization): Promise<string[]>;

  /**
   * Which of the keys may be held there: those defined in the project and, on a grant, among its keys.
   * They stay so until the end of the transaction.
   */
  lockAssignableRoles(place: Place, keys: readonly string[]): Promise<Set<string>>;

  /** Replaces the set of roles with assignable ones. Resolves to the new change date, later than the old one. */
  replaceRoles(authorization: LockedAuthorization, keys: readonly string[]): Promise<Instant>;

  /** Removes the authorization. Resolves to the date of the removal, later than the last change date. */
  remove(authorization: LockedAuthorization): Promise<Instant>;
};
