import type { Explained, Source } from "./access.ts";
import type { User } from "./authorization.ts";
import type { AdministratorEntry, Caller } from "./permissions.ts";

/**
 * Finds users, their administrator entries, and the names of the scopes. Each call reads one snapshot. Signals and
 * refusals are those of AuthorizationStore.
 */
export type AccessStore = {
  /**
   * A user with its entries: on the instance, on organizations, on projects and on project grants, each sorted by
   * the id of the scope. Undefined if there is no such user.
   */
  findUser(userId: string, signal: AbortSignal): Promise<{ user: User; entries: readonly Source[] } | undefined>;

  /**
   * Everything that explains a user's access to an authorization. Undefined if the asker does not see the
   * authorization. The user is undefined if there is none that the asker may know of.
   */
  findAccess(question: AccessQuestion, signal: AbortSignal): Promise<FoundAccess | undefined>;
};

export type AccessQuestion = {
  readonly asker: Caller;
  readonly authorizationId: string;
  /** Askers always know of themselves. */
  readonly userId: string;
};

export type FoundAccess = {
  readonly authorization: Explained;
  readonly user: User | undefined;
  /** All of the user. */
  readonly entries: readonly AdministratorEntry[];
};
