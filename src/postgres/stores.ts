import type { AccessStore } from "../authorization/access-store.ts";
import type { AuthorizationFeed } from "../authorization/feed.ts";
import type { AuthorizationHistory } from "../authorization/history.ts";
import type { OverviewStore } from "../authorization/overview.ts";
import type { RoleCheck } from "../authorization/role-check.ts";
import type { AuthorizationStore } from "../authorization/store.ts";
import type { DirectoryHistory } from "../directory/history.ts";
import type { LookUps } from "../directory/look-ups.ts";
import type { DirectoryStore } from "../directory/store.ts";
import type { CallerStore } from "../identity/store.ts";
import type { TokenStore } from "../identity/token-store.ts";
import { postgresAccess } from "./caller/access-store.ts";
import { postgresCallers } from "./caller/caller-store.ts";
import { proving } from "./caller/proving.ts";
import { changeAuthorizations } from "./change/authorization-change.ts";
import { postgresChanges } from "./directory/directory-store.ts";
import { assignmentEvents } from "./history/assignment-events.ts";
import { directoryEvents } from "./history/directory-events.ts";
import { postgresFeed } from "./history/feed.ts";
import { listHistory } from "./history/list-history.ts";
import { listAuthorizations } from "./list/list-authorizations.ts";
import { postgresRoleCheck } from "./look-up/check-roles.ts";
import { listAdministrators } from "./look-up/list-administrators.ts";
import { listAssignable } from "./look-up/list-assignable.ts";
import { listOrganizations } from "./look-up/list-organizations.ts";
import { listProjects } from "./look-up/list-projects.ts";
import { listUsers } from "./look-up/list-users.ts";
import { postgresOverview } from "./overview/overview.ts";
import type { Database } from "./pool/database.ts";
import { postgresTokens } from "./token/token-store.ts";

type Stores = {
  readonly authorizations: AuthorizationStore;
  readonly roleCheck: RoleCheck;
  readonly directory: DirectoryStore;
  readonly lookUps: LookUps;
  readonly callers: CallerStore;
  readonly access: AccessStore;
  readonly history: AuthorizationHistory;
  readonly directoryHistory: DirectoryHistory;
  readonly overview: OverviewStore;
  readonly tokens: TokenStore;
  readonly feed: AuthorizationFeed;
};

/**
 * All stores that requests need.
 *
 * @param primary the same database without replicas
 */
export function postgresStores(given: Database, primary = given): Stores {
  const database = proving(given);
  return {
    authorizations: {
      list: (visibility, query, signal) => listAuthorizations(database, visibility, query, signal),
      change: (actor, signal, work, rounds) => changeAuthorizations(database, actor, signal, work, rounds),
    },
    roleCheck: postgresRoleCheck(database),
    directory: {
      ...postgresChanges(database),
      listAdministrators: (caller, query, signal) => listAdministrators(database, caller, query, signal),
    },
    lookUps: {
      listOrganizations: (visibility, query, signal) => listOrganizations(database, visibility, query, signal),
      listProjects: (caller, query, signal) => listProjects(database, caller, query, signal),
      listAssignable: (scopes, query, signal) => listAssignable(database, scopes, query, signal),
      listUsers: (visibility, query, signal) => listUsers(database, visibility, query, signal),
    },
    // Who look up callers prove nothing.
    callers: postgresCallers(given),
    access: postgresAccess(database),
    history: { list: (caller, query, signal) => listHistory(database, assignmentEvents, caller, query, signal) },
    directoryHistory: {
      list: (caller, query, signal) => listHistory(database, directoryEvents, caller, query, signal),
    },
    overview: postgresOverview(database),
    tokens: postgresTokens(database),
    feed: postgresFeed(primary),
  };
}
