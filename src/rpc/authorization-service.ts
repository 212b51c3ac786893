import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import type { AuthorizationStore } from "../authorization/store.ts";
import { deleteAuthorization } from "./delete-authorization.ts";
import { listAuthorizations, type PageLimits } from "./list-authorizations.ts";
import { updateAuthorization } from "./update-authorization.ts";

/** Every RPC of the service and the function that answers it. */
export function authorizationService(
  store: AuthorizationStore,
  limits: PageLimits,
): ServiceImpl<typeof AuthorizationService> {
  return {
    listAuthorizations: listAuthorizations(store, limits),
    createAuthorization: notYet,
    updateAuthorization: updateAuthorization(store),
    deleteAuthorization: deleteAuthorization(store),
    activateAuthorization: notYet,
    deactivateAuthorization: notYet,
  };
}

function notYet(): never {
  throw new ConnectError("this release does not serve the RPC yet", Code.Unimplemented);
}
