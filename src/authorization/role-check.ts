import type { Caller, Visibility } from "./permissions.ts";

/** Whose roles to check, and where. */
export type RoleHolder = {
  readonly userId: string;
  readonly projectId: string;
  /** Undefined for any organization. */
  readonly organizationId: string | undefined;
};

export type CheckedRoles = RoleHolder & { readonly roleKeys: readonly string[] };

/** A role that a user holds through an active authorization. */
export type HeldRole = {
  readonly roleKey: string;
  readonly organizationId: string;
  readonly authorizationId: string;
};

/** Answers whether users hold roles. Signals and refusals are those of AuthorizationStore. */
export type RoleCheck = {
  /**
   * The roles among the given ones that each user holds, sorted by key and organization, as far as the caller sees them.
   * Undefined where the caller may not ask: about another user in a place where it lacks `user.grant.read`, or without
   * an organization, if it holds that nowhere in the project. All results come from one snapshot. Throws
   * OUTCOMES_TOO_LARGE if they have more than a server should hold.
   *
   * @param most how many roles of each item are enough; undefined for all
   */
  check(
    caller: Caller,
    items: readonly CheckedRoles[],
    most: number | undefined,
    signal: AbortSignal,
  ): Promise<readonly (readonly HeldRole[] | undefined)[]>;

  /** The keys of all roles that the user holds, as far as they are visible: each once, sorted, after a key. */
  listKeys(
    visibility: Visibility,
    holder: RoleHolder,
    page: { readonly after: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<readonly string[]>;
};
