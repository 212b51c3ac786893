import type { ServiceImpl } from "@connectrpc/connect";
import { v7 as newId } from "uuid";
import type { AuthorizationService } from "../../../gen/service/authorization/v2/authorization_service_pb.ts";
import type { AuthorizationStore } from "../../authorization/store.ts";
import { changes } from "../authorizations/change-authorizations.ts";
import { listAuthorizations } from "../authorizations/list-authorizations.ts";
import type { PageLimits } from "../messages/page.ts";

export function authorizationService(
  store: AuthorizationStore,
  limits: PageLimits,
): ServiceImpl<typeof AuthorizationService> {
  return { listAuthorizations: listAuthorizations(store, limits), ...changes(store, newId) };
}
