import { postgresAccess } from "./access-store.ts";
import { postgresAuthorizations } from "./authorization-store.ts";
import { postgresCallers } from "./caller-store.ts";
import type { Database } from "./database.ts";
import { postgresDirectory } from "./directory-store.ts";
import { postgresHistory } from "./history/read-history.ts";
import { postgresLookUps } from "./look-ups.ts";
import { postgresOverview } from "./overview.ts";

/**
 * Everything requests are answered from.
 *
 * @param fewRows of how many rows at most a filtered list reads all; tests take a small number
 */
export function postgresStores(database: Database, fewRows?: number) {
  return {
    authorizations: postgresAuthorizations(database, fewRows),
    directory: postgresDirectory(database),
    lookUps: postgresLookUps(database, fewRows),
    callers: postgresCallers(database),
    access: postgresAccess(database),
    history: postgresHistory(database),
    overview: postgresOverview(database),
  };
}
