import type { ServiceImpl } from "@connectrpc/connect";
import type { DirectoryService } from "../../gen/service/directory/v1/directory_service_pb.ts";
import type { LookUps } from "../directory/look-ups.ts";
import type { DirectoryStore } from "../directory/store.ts";
import { applyChanges } from "./apply-changes.ts";
import { listAdministrators } from "./list-administrators.ts";
import { listOrganizations } from "./list-organizations.ts";
import { listProjects } from "./list-projects.ts";
import { listUsers } from "./list-users.ts";
import type { PageLimits } from "./page-limits.ts";

/** Every RPC of the service and the function that answers it. */
export function directoryService(
  store: DirectoryStore,
  lookUps: LookUps,
  limits: PageLimits,
): ServiceImpl<typeof DirectoryService> {
  return {
    applyChanges: applyChanges(store),
    listAdministrators: listAdministrators(store, limits),
    listOrganizations: listOrganizations(lookUps, limits),
    listProjects: listProjects(lookUps, limits),
    listUsers: listUsers(lookUps, limits),
  };
}
