import type { ServiceImpl } from "@connectrpc/connect";
import { v7 as newId } from "uuid";
import type { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import type { AuthorizationStore } from "../authorization/store.ts";
import { batchCreateAuthorizations } from "./batch-create-authorizations.ts";
import { batchDeleteAuthorizations } from "./batch-delete-authorizations.ts";
import { batchSetState } from "./batch-set-state.ts";
import { batchUpdateAuthorizations } from "./batch-update-authorizations.ts";
import { createAuthorization } from "./create-authorization.ts";
import { deleteAuthorization } from "./delete-authorization.ts";
import { listAuthorizations } from "./list-authorizations.ts";
import type { PageLimits } from "./page-limits.ts";
import { setAuthorizationState } from "./set-authorization-state.ts";
import { updateAuthorization } from "./update-authorization.ts";

/** Every RPC of the service and the function that answers it. */
export function authorizationService(
  store: AuthorizationStore,
  limits: PageLimits,
): ServiceImpl<typeof AuthorizationService> {
  return {
    listAuthorizations: listAuthorizations(store, limits),
    createAuthorization: createAuthorization(store, newId),
    updateAuthorization: updateAuthorization(store),
    deleteAuthorization: deleteAuthorization(store),
    activateAuthorization: setAuthorizationState(store, "active"),
    deactivateAuthorization: setAuthorizationState(store, "inactive"),
    batchCreateAuthorizations: batchCreateAuthorizations(store, newId),
    batchUpdateAuthorizations: batchUpdateAuthorizations(store),
    batchDeleteAuthorizations: batchDeleteAuthorizations(store),
    batchSetState: batchSetState(store),
  };
}
