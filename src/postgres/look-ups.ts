import type { LookUps } from "../directory/look-ups.ts";
import type { Database } from "./database.ts";
import { listAssignable } from "./look-up/list-assignable.ts";
import { listOrganizations } from "./look-up/list-organizations.ts";
import { listProjects } from "./look-up/list-projects.ts";
import { listUsers } from "./look-up/list-users.ts";

export function postgresLookUps(database: Database, fewUsers?: number): LookUps {
  return {
    listOrganizations: (visibility, query, signal) => listOrganizations(database, visibility, query, signal),
    listProjects: (visibility, query, signal) => listProjects(database, visibility, query, signal),
    listAssignable: (scopes, query, signal) => listAssignable(database, scopes, query, signal),
    listUsers: (visibility, query, signal) => listUsers(database, visibility, query, signal, fewUsers),
  };
}
