import type { Explained, Source } from "./access.ts";
import type { Authorization } from "./authorization.ts";
import type { AdministratorEntry, Caller } from "./permissions.ts";

export type User = Authorization["user"];

/**
 * Where users, their administrator entries and the names of what those are about are kept together. What a call resolves
 * to is of one moment. Signals and refusals are those of AuthorizationStore.
 */
export type AccessStore = {
  /**
   * A user with all its entries: on the instance, on organizations, on projects and on project grants, each sorted by
   * the id of the scope. Undefined when there is no such user.
   */
  findUser(userId: string, signal: AbortSignal): Promise<{ user: User; entries: readonly Source[] } | undefined>;

  /**
   * What explains a user's access to an authorization. Undefined when the asker does not see the authorization. The
   * user is undefined when there is none that the asker may know of.
   */
  findAccess(question: AccessQuestion, signal: AbortSignal): Promise<FoundAccess | undefined>;
};

export type AccessQuestion = {
  readonly asker: Caller;
  readonly authorizationId: string;
  /** The asker may know of itself. */
  readonly userId: string;
};

export type FoundAccess = {
  readonly authorization: Explained;
  readonly user: User | undefined;
  /** The user's entries that may reach the authorization; at least those that do. */
  readonly entries: readonly AdministratorEntry[];
};
