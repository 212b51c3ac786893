import { postgresAccess } from "./caller/access-store.ts";
import { postgresCallers } from "./caller/caller-store.ts";
import { proving } from "./caller/proving.ts";
import { changeAuthorizations } from "./change/authorization-change.ts";
import { postgresChanges } from "./directory/directory-store.ts";
import { assignmentEvents } from "./history/assignment-events.ts";
import { directoryEvents } from "./history/directory-events.ts";
import { postgresFeed } from "./history/feed.ts";
import { postgresHistory } from "./history/list-history.ts";
import { listAuthorizations } from "./list/list-authorizations.ts";
import { postgresRoleCheck } from "./look-up/check-roles.ts";
import { listAdministrators } from "./look-up/list-administrators.ts";
import { listAssignable } from "./look-up/list-assignable.ts";
import { listOrganizations } from "./look-up/list-organizations.ts";
import { listProjects } from "./look-up/list-projects.ts";
import { listUsers } from "./look-up/list-users.ts";
import { readOverview } from "./overview/overview.ts";
import type { Database } from "./pool/database.ts";
import { createToken } from "./token/create-token.ts";
import { listTokens } from "./token/list-tokens.ts";
import { revokeToken } from "./token/revoke-token.ts";

/**
 * All stores that requests need (src/rpc/services/every-service.ts).
 *
 * @param primary the same database without replicas
 */
export function postgresStores(given: Database, primary = given) {
  const database = proving(given);
  return {
    authorizations: { list: listAuthorizations(database), change: changeAuthorizations(database) },
    roleCheck: postgresRoleCheck(database),
    directory: { ...postgresChanges(database), listAdministrators: listAdministrators(database) },
    lookUps: {
      listOrganizations: listOrganizations(database),
      listProjects: listProjects(database),
      listAssignable: listAssignable(database),
      listUsers: listUsers(database),
    },
    // Who look up callers prove nothing.
    callers: postgresCallers(given),
    access: postgresAccess(database),
    history: postgresHistory(database, assignmentEvents),
    directoryHistory: postgresHistory(database, directoryEvents),
    readOverview: readOverview(database),
    tokens: { create: createToken(database), list: listTokens(database), revoke: revokeToken(database) },
    feed: postgresFeed(primary),
  };
}
