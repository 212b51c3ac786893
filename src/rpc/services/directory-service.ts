import type { ServiceImpl } from "@connectrpc/connect";
import type { DirectoryService } from "../../../gen/service/directory/v1/directory_service_pb.ts";
import type { LookUps } from "../../directory/look-ups.ts";
import type { DirectoryStore } from "../../directory/store.ts";
import type { InTurn } from "../../limits/turns.ts";
import { applyChanges } from "../directory/apply-changes.ts";
import { listAdministrators } from "../directory/list-administrators.ts";
import { listOrganizations } from "../directory/list-organizations.ts";
import { listProjects } from "../directory/list-projects.ts";
import { listUsers } from "../directory/list-users.ts";
import type { PageLimits } from "../messages/page.ts";

export function directoryService(
  store: DirectoryStore,
  lookUps: LookUps,
  inTurn: InTurn,
  limits: PageLimits,
): ServiceImpl<typeof DirectoryService> {
  return {
    applyChanges: applyChanges(store, inTurn),
    listAdministrators: listAdministrators(store, limits),
    listOrganizations: listOrganizations(lookUps, limits),
    listProjects: listProjects(lookUps, limits),
    listUsers: listUsers(lookUps, limits),
  };
}
