import type { NamedScope } from "../authorization/access.ts";
import type { ActingUser } from "../authorization/actor.ts";
import type { Authorization, User } from "../authorization/authorization.ts";
import type { Page, Paging } from "../authorization/list.ts";
import type { Caller, Scope } from "../authorization/permissions.ts";
import type { PlacedChange } from "./change.ts";
import type { ChangeAnswer } from "./outcome.ts";

/** Which administrator entries to list, and which page. */
export type AdministratorQuery = Paging<AdministratorPosition> & {
  readonly userId: string | undefined;
  readonly scope: Scope | undefined;
  /** Only entries with this role; any name that is no role matches nothing. */
  readonly role: string | undefined;
  readonly ascending: boolean;
};

/** A position in the order of entries: by user, kind of scope (instance, organization, project, grant) and scope id. */
export type AdministratorPosition = { readonly userId: string; readonly kind: number; readonly scopeId: string };

export type AdministratorPage = Page<NamedEntry, AdministratorPosition>;

/** An administrator entry with the current names of its user and scope. */
export type NamedEntry = { readonly user: User; readonly scope: NamedScope; readonly roles: readonly string[] };

export type ChangeRequest = {
  readonly actor: ActingUser;
  readonly changes: readonly PlacedChange[];
  readonly dryRun: boolean;
  /** If set, the version of an earlier answer: the changes are made only if nothing that they name has changed since. */
  readonly ifVersion?: string | undefined;
};

/** What the changes do, and the version that has them, as clients keep it. */
export type AppliedChanges = { readonly answer: ChangeAnswer; readonly version: string };

export type OffboardingRequest = {
  readonly actor: ActingUser;
  readonly userId: string;
  /** Whether the user is removed, too. Otherwise it is suspended: it stays, without anything active. */
  readonly removes: boolean;
  readonly dryRun: boolean;
};

/** What is taken from a user, and what stays (docs/reference/directory.md, "Off-boarding"). */
export type Offboarding = {
  /** The assignments that the caller sees. */
  readonly places: readonly OffboardedPlace[];
  readonly administrators: readonly NamedEntry[];
  /** Those that the caller sees, but may not remove. */
  readonly keptAdministrators: readonly NamedEntry[];
  readonly tokens: number;
  readonly leftWithoutOwner: readonly Authorization["organization"][];
  /** Undefined for callers who may not remove the user. */
  readonly unlisted: Unlisted | undefined;
  readonly tokensForOthers: number;
};

export type OffboardedPlace = {
  /** Undefined, like the organization, for all places beyond the most that are named. */
  readonly project: Authorization["project"] | undefined;
  readonly organization: Authorization["organization"] | undefined;
  readonly taken: number;
  readonly kept: number;
};

type Unlisted = { readonly authorizations: number; readonly administrators: number; readonly tokens: number };

/**
 * Stores the directory, as requests change it.
 *
 * Both `apply` and `import` apply either all changes or none: first all removals, then all upserts, in whatever order
 * they come. They append an event for each thing that they change, and at most one for each authorization. They throw the refusals DUPLICATE_CHANGE,
 * REFERENCE_NOT_FOUND, ROLE_NOT_FOUND, GRANT_TO_OWNER, GRANT_EXISTS, IMMUTABLE_FIELD and AUTHORIZATION_EXISTS, with the
 * position of the change as `index` in their metadata.
 */
export type DirectoryStore = {
  /**
   * Applies changes on behalf of a user, within the request that the signal belongs to. Throws PERMISSION_DENIED with
   * the `index` of the first change that the user may not make, before anything else about the changes is examined. What
   * counts is what is stored when they are applied. Throws LAST_OWNER, with the same `index`, if the changes would remove
   * the last IAM_OWNER. Throws DIRECTORY_CHANGED, with the same `index`, if a thing that a change names has changed since
   * `ifVersion`, and VERSION_INVALID if that isn't the version of an earlier answer.
   *
   * One request changes the directory at a time. Throws OVERLOADED if others take too long. A dry run checks and answers the
   * same, but writes nothing, and waits for no other change. Refusals don't wait either.
   */
  apply(request: ChangeRequest, signal: AbortSignal): Promise<AppliedChanges>;

  /**
   * Takes what a user holds, or only finds what that is. Throws PERMISSION_DENIED, USER_NOT_FOUND, and LAST_OWNER, and
   * waits as `apply` does.
   */
  offboard(request: OffboardingRequest, signal: AbortSignal): Promise<Offboarding>;

  /**
   * One page of the entries that the caller sees, sorted by user, kind of scope and scope, with the total from the same
   * snapshot. Callers see their own entries, and those within a scope where they hold `user.grant.read`.
   */
  listAdministrators(caller: Caller, query: AdministratorQuery, signal: AbortSignal): Promise<AdministratorPage>;
};
