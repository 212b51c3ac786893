import type { AuthorizationStore } from "../authorization/store.ts";
import { changeOn } from "./authorization-change.ts";
import type { Database } from "./database.ts";
import { fewRows, listAuthorizations } from "./list/list-authorizations.ts";

export function postgresAuthorizations(database: Database, most = fewRows): AuthorizationStore {
  return {
    list: (visibility, query, signal) => listAuthorizations(database, visibility, query, signal, most),
    change: (actorId, signal, work) =>
      database.transaction(signal, (connection) => work(changeOn(connection, actorId))),
  };
}
