import type { AdministratorEntry, Scope } from "../authorization/permissions.ts";
import type { PlacedChange } from "./change.ts";

/** Which administrator entries, and which part of them. */
export type AdministratorQuery = {
  readonly userId: string | undefined;
  readonly scope: Scope | undefined;
  readonly ascending: boolean;
  /** The entry the page before ended with; what is listed comes behind it. */
  readonly after: AdministratorPosition | undefined;
  readonly offset: bigint;
  readonly limit: number;
  readonly skipTotal: boolean;
};

/** What entries are sorted by: the user, the kind of scope (instance, organization, project, grant) and its id. */
export type AdministratorPosition = { readonly userId: string; readonly kind: number; readonly scopeId: string };

export type AdministratorPage = {
  /** How many entries match, whatever the position, offset and limit; 0 when it is left out. */
  readonly total: number;
  /** Where the page ends; undefined when nothing comes behind it. */
  readonly next: AdministratorPosition | undefined;
  readonly administrators: readonly (AdministratorEntry & { readonly userId: string })[];
};

/**
 * Where the directory is kept, as requests change it.
 *
 * Both ways of changing it apply changes as one change of state, all or nothing: first all removals, then all
 * upserts, whatever their order. They append one event at most for each authorization they touch. They throw the
 * refusals DUPLICATE_CHANGE, REFERENCE_NOT_FOUND, ROLE_NOT_FOUND, GRANT_TO_OWNER, GRANT_EXISTS, IMMUTABLE_FIELD and
 * AUTHORIZATION_EXISTS, with the position of the change as `index` in their metadata.
 */
export type DirectoryStore = {
  /**
   * Applies some changes on behalf of a user, within the request the signal belongs to. Throws LAST_OWNER, with the
   * same `index`, when there is an IAM_OWNER and the changes would leave none.
   */
  apply(actorId: string, changes: readonly PlacedChange[], signal: AbortSignal): Promise<void>;

  /** One page of entries, sorted by user, kind of scope and scope. The total and the page are of one moment. */
  listAdministrators(query: AdministratorQuery, signal: AbortSignal): Promise<AdministratorPage>;
};

/** The directory as commands fill it and look at it. */
export type ImportStore = {
  /** Whether nothing was ever put into it. */
  isEmpty(): Promise<boolean>;

  /**
   * Applies any number of changes, on behalf of nobody in particular. They may take away the last IAM_OWNER. Throws
   * also whatever the iteration of the changes throws.
   *
   * @param progress hears what is being done, in words for people
   * @returns the number of changes
   */
  import(changes: AsyncIterable<PlacedChange>, progress: (message: string) => void): Promise<number>;
};
