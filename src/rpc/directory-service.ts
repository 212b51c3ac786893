import type { ServiceImpl } from "@connectrpc/connect";
import type { DirectoryService } from "../../gen/service/directory/v1/directory_service_pb.ts";
import type { DirectoryStore } from "../directory/store.ts";
import { applyChanges } from "./apply-changes.ts";
import { listAdministrators } from "./list-administrators.ts";
import type { PageLimits } from "./page-limits.ts";

/** Every RPC of the service and the function that answers it. */
export function directoryService(store: DirectoryStore, limits: PageLimits): ServiceImpl<typeof DirectoryService> {
  return {
    applyChanges: applyChanges(store),
    listAdministrators: listAdministrators(store, limits),
  };
}
