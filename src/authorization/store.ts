import type { Actor } from "./actor.ts";
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
 * Stores authorizations.
 *
 * Every method takes the signal of its request. When that aborts, the running statement is cancelled inside the
 * database, and the call rejects with the signal's reason. Any call may throw the refusals DATABASE_UNAVAILABLE and
 * OVERLOADED.
 */
export type AuthorizationStore = {
  /** One page of the authorizations that match and are visible, with the total from the same snapshot. */
  list(visibility: Visibility, query: ListQuery, signal: AbortSignal): Promise<Page>;

  /**
   * Runs work in one transaction. Its changes are durable when the call resolves, and rolled back if work throws. Every
   * change in it appends one event by the actor.
   */
  change<T>(actor: Actor, signal: AbortSignal, work: (change: AuthorizationChange) => Promise<T>): Promise<T>;
};

/**
 * The steps of a change within one transaction. Each works on any number of authorizations with as many statements as
 * for one. Steps that are started together run in the order in which they were started.
 *
 * Deadlock-free, because all changes lock in the same order: first projects, then users, role keys and authorizations,
 * each sorted by id. Projects are locked for share by changes of their authorizations, and exclusively by changes that
 * take something away from them. New authorizations are added in the order of their combinations.
 */
export type AuthorizationChange = {
  /** Finds the visible authorizations with these distinct ids, and locks them until the end of the transaction. */
  lockVisible(visibility: Visibility, ids: readonly string[]): Promise<ReadonlyMap<string, LockedAuthorization>>;

  /**
   * The last removal of each id, if there was one. Ask only about ids that the caller does not see: the answer must be
   * the same if an id was added again where the caller does not see it.
   */
  findRemoved(ids: readonly string[]): Promise<ReadonlyMap<string, RemovedAuthorization>>;

  /** The ids of the authorizations that have exactly these keys now. */
  findHolding(wanted: readonly Holding[]): Promise<ReadonlySet<string>>;

  /**
   * Which of the keys can be assigned in their place: those defined in the project and, with a grant, included in the
   * grant. They stay assignable until the end of the transaction.
   */
  lockAssignableRoles(asked: readonly AskedRoles[]): Promise<(place: Place) => ReadonlySet<string>>;

  /**
   * The places of authorizations for projects in organizations; undefined if the organization neither owns the project
   * nor has a grant for it.
   */
  findPlaces(asked: readonly Whereabouts[]): Promise<PlaceOf>;

  /** The same, and locks the projects, their roles and their grants until the end of the transaction. */
  lockPlaces(asked: readonly Whereabouts[]): Promise<PlaceOf>;

  /** Which of the users and organizations exist. Locks the users that do until the end of the transaction. */
  lockParties(
    asked: readonly { readonly userId: string; readonly organizationId: string }[],
  ): Promise<{ readonly users: ReadonlySet<string>; readonly organizations: ReadonlySet<string> }>;

  /**
   * Adds active authorizations with assignable roles. If the user already has one for that project in that
   * organization, stored before or added earlier in this call, none is added, and the result is the id of the existing
   * one. Results are by new id.
   */
  create(
    authorizations: readonly NewAuthorization[],
  ): Promise<ReadonlyMap<string, { readonly creationDate: Instant } | { readonly existingId: string }>>;

  /** Activates or deactivates. Resolves to the new change dates by id, each later than the old one. */
  setState(ids: readonly string[], state: State): Promise<ReadonlyMap<string, Instant>>;

  /** Replaces roles with assignable ones. Resolves to the new change dates by id, each later than the old one. */
  replaceRoles(wanted: readonly Holding[]): Promise<ReadonlyMap<string, Instant>>;

  /** Removes the authorizations. Resolves to the removal dates by id, each later than the last change date. */
  remove(ids: readonly string[]): Promise<ReadonlyMap<string, Instant>>;
};

/** An authorization and all of its current or requested keys. */
export type Holding = { readonly id: string; readonly roleKeys: readonly string[] };

export type AskedRoles = { readonly place: Place; readonly roleKeys: readonly string[] };

export type Whereabouts = Pick<Place, "projectId" | "organizationId">;

export type PlaceOf = (where: Whereabouts) => Place | undefined;
