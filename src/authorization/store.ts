import type { Actor } from "./actor.ts";
import type {
  Ending,
  FoundAuthorization,
  Instant,
  NewAuthorization,
  Place,
  RemovedAuthorization,
  State,
} from "./authorization.ts";
import type { AuthorizationPage, ListQuery } from "./list.ts";
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
  list(visibility: Visibility, query: ListQuery, signal: AbortSignal): Promise<AuthorizationPage>;

  /**
   * Runs work that finds what decides about a change, judges it, and makes the change. The change is all or nothing, and
   * durable when the call resolves. Every change appends one event by the actor. If what was found is no longer so when
   * the change is made, nothing is changed, and the work is run again: it must do nothing but find and judge.
   *
   * @param rounds how many times the work makes changes. Those of several rounds are rolled back if the work throws
   */
  change<T>(
    actor: Actor,
    signal: AbortSignal,
    work: (change: AuthorizationChange) => Promise<T>,
    rounds?: number,
  ): Promise<T>;
};

/**
 * The steps of a change: each round finds, then makes changes by one call. Each step works on any number of authorizations
 * with as many statements as for one. What is found is read without locks. Each change is made only if what was found is
 * still so, for all of its authorizations.
 *
 * Deadlock-free, because all changes lock in the same order: first projects, then users, role keys and authorizations,
 * each sorted by id. Projects are locked for share by changes of their authorizations, and exclusively by changes that
 * take something away from them. New authorizations are added in the order of their combinations.
 */
export type AuthorizationChange = {
  /** Whether what is changed can still be rolled back. If not, it is durable at once. */
  readonly isOpen: boolean;

  /** Finds the visible authorizations with these distinct ids. */
  find(visibility: Visibility, ids: readonly string[]): Promise<ReadonlyMap<string, FoundAuthorization>>;

  /** The same, and compares the roles with those that are wanted. */
  compare(visibility: Visibility, wanted: readonly Holding[]): Promise<ReadonlyMap<string, ComparedAuthorization>>;

  /**
   * The last removal of each id, if there was one. Ask only about ids that the caller does not see: the answer must be
   * the same if an id was added again where the caller does not see it.
   */
  findRemoved(ids: readonly string[]): Promise<ReadonlyMap<string, RemovedAuthorization>>;

  /** Finds what decides about each assignment, by the id that it will have. */
  prepare(assignments: readonly Assignment[]): Promise<ReadonlyMap<string, Prospect>>;

  /** Adds active authorizations. Resolves to the creation dates by id. */
  create(authorizations: readonly NewAuthorization[]): Promise<Dates>;

  /** Activates or deactivates. Resolves to the new change dates by id, each later than the old one. */
  setState(authorizations: readonly FoundAuthorization[], state: State): Promise<Dates>;

  /** Replaces the roles, and the ends that are given. Resolves to the new change dates by id, each later than the old one. */
  replace(authorizations: readonly (FoundAuthorization & Holding)[]): Promise<Dates>;

  /** Removes the authorizations. Resolves to the removal dates by id, each later than the last change date. */
  remove(authorizations: readonly FoundAuthorization[]): Promise<Dates>;
};

export type Dates = ReadonlyMap<string, Instant>;

/** An authorization, all of its requested keys, and its requested end. */
export type Holding = {
  readonly id: string;
  readonly roleKeys: readonly string[];
  readonly ending: Ending;
};

export type ComparedAuthorization = FoundAuthorization & {
  /** Whether it has exactly the wanted roles and the wanted end. */
  readonly isSame: boolean;
  /** Whether the wanted end, if there is one, is still to come. */
  readonly isFuture: boolean;
  readonly unassignable: readonly string[];
};

/** A requested authorization, with the id it will have. */
export type Assignment = Omit<NewAuthorization, "place"> & {
  readonly projectId: string;
  readonly organizationId: string;
};

/** What decides about an assignment. */
export type Prospect = {
  /** Undefined if the organization neither owns the project nor has a grant for it. */
  readonly place: Place | undefined;
  readonly hasUser: boolean;
  readonly hasOrganization: boolean;
  /** Those of the keys that are not roles of the project or, with a grant, not in the grant. */
  readonly unassignable: readonly string[];
  readonly isFuture: boolean;
  /** The authorization that the user has for that project in that organization. */
  readonly existingId: string | undefined;
};
