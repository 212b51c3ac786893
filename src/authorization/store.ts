import type {
  Instant,
  LockedAuthorization,
  NewAuthorization,
  Place,
  RemovedAuthorization,
  State,
} from "./authorization.ts";
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

/**
 * What can be done within one transaction. What is asked for at once is done in the order it was asked for.
 *
 * Nobody waits in a circle, because everybody locks in the same order: the project first, shared by those who
 * change authorizations on it and held alone by those who take something away from it; then users, role keys, and
 * one authorization.
 */
export type AuthorizationChange = {
  /** Finds an authorization among the visible ones and keeps others from changing it until the end. */
  lockVisible(visibility: Visibility, id: string): Promise<LockedAuthorization | undefined>;

  /**
   * The last removal of an id; undefined when there was none. Ask only about what the caller does not see: whether
   * the id was put in place anew, where the caller does not see it, must make no difference.
   */
  findRemoved(id: string): Promise<RemovedAuthorization | undefined>;

  /** The keys an authorization holds now, sorted. */
  roleKeys(authorization: LockedAuthorization): Promise<string[]>;

  /**
   * Which of the keys may be held there: those defined in the project and, on a grant, among its keys.
   * They stay so until the end of the transaction.
   */
  lockAssignableRoles(place: Place, keys: readonly string[]): Promise<Set<string>>;

  /**
   * Where an authorization for the project in the organization would be; undefined when the organization neither
   * owns the project nor is granted it.
   */
  findPlace(projectId: string, organizationId: string): Promise<Place | undefined>;

  /** The same, and the project, its roles and its grants stay until the end of the transaction. */
  lockPlace(projectId: string, organizationId: string): Promise<Place | undefined>;

  /** Whether the user and the organization exist. A user that does stays until the end of the transaction. */
  lockParties(userId: string, organizationId: string): Promise<{ user: boolean; organization: boolean }>;

  /**
   * Adds an active authorization with assignable roles, unless the user has one for that project in that
   * organization already: then its id is what the call resolves to.
   */
  create(authorization: NewAuthorization): Promise<{ creationDate: Instant } | { existingId: string }>;

  /** Puts the roles in or out of force. Resolves to the new change date, later than the old one. */
  setState(authorization: LockedAuthorization, state: State): Promise<Instant>;

  /** Replaces the set of roles with assignable ones. Resolves to the new change date, later than the old one. */
  replaceRoles(authorization: LockedAuthorization, keys: readonly string[]): Promise<Instant>;

  /** Removes the authorization. Resolves to the date of the removal, later than the last change date. */
  remove(authorization: LockedAuthorization): Promise<Instant>;
};
