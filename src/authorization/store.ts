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
 * What can be done within one transaction, with any number of authorizations at once: as many statements as for one.
 * What is asked for at once is done in the order it was asked for.
 *
 * Nobody waits in a circle, because everybody locks in the same order: first projects, shared by those who change
 * authorizations on them and held alone by those who take something away from them; then users, role keys, and
 * authorizations, each sorted by id. New authorizations are added in the order of their combinations.
 */
export type AuthorizationChange = {
  /** Finds the visible ones by id, each named once, and keeps others from changing them until the end. */
  lockVisible(visibility: Visibility, ids: readonly string[]): Promise<ReadonlyMap<string, LockedAuthorization>>;

  /**
   * The last removals of ids, where there were any. Ask only about what the caller does not see: whether the id was put
   * in place anew, where the caller does not see it, must make no difference.
   */
  findRemoved(ids: readonly string[]): Promise<ReadonlyMap<string, RemovedAuthorization>>;

  /** The ids of those that hold these keys now, and no others. */
  findHolding(wanted: readonly Holding[]): Promise<ReadonlySet<string>>;

  /**
   * Which of the keys may be held where they are asked for: those defined in the project and, on a grant, among its
   * keys. They stay so until the end of the transaction.
   */
  lockAssignableRoles(asked: readonly AskedRoles[]): Promise<(place: Place) => ReadonlySet<string>>;

  /**
   * Where authorizations for projects in organizations would be; undefined where the organization neither owns the
   * project nor is granted it.
   */
  findPlaces(asked: readonly Whereabouts[]): Promise<PlaceOf>;

  /** The same, and the projects, their roles and their grants stay until the end of the transaction. */
  lockPlaces(asked: readonly Whereabouts[]): Promise<PlaceOf>;

  /** Which of the users and organizations exist. Users that do stay until the end of the transaction. */
  lockParties(
    asked: readonly { readonly userId: string; readonly organizationId: string }[],
  ): Promise<{ readonly users: ReadonlySet<string>; readonly organizations: ReadonlySet<string> }>;

  /**
   * Adds active authorizations with assignable roles, but none for a user that has one for that project in that
   * organization already, be it from before or by an earlier one of these: then its id is what is answered. By new id.
   */
  create(
    authorizations: readonly NewAuthorization[],
  ): Promise<ReadonlyMap<string, { readonly creationDate: Instant } | { readonly existingId: string }>>;

  /** Puts the roles in or out of force. Resolves to the new change dates by id, later than the old ones. */
  setState(ids: readonly string[], state: State): Promise<ReadonlyMap<string, Instant>>;

  /** Replaces the sets of roles with assignable ones. Resolves to the new change dates by id, later than the old ones. */
  replaceRoles(wanted: readonly Holding[]): Promise<ReadonlyMap<string, Instant>>;

  /** Removes the authorizations. Resolves to the dates of the removal by id, later than the last change dates. */
  remove(ids: readonly string[]): Promise<ReadonlyMap<string, Instant>>;
};

/** An authorization and all the keys it holds or is to hold. */
export type Holding = { readonly id: string; readonly roleKeys: readonly string[] };

export type AskedRoles = { readonly place: Place; readonly roleKeys: readonly string[] };

export type Whereabouts = Pick<Place, "projectId" | "organizationId">;

export type PlaceOf = (where: Whereabouts) => Place | undefined;
