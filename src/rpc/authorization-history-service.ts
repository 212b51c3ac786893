import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationHistoryService } from "../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import { listAuthorizationEvents } from "./list-authorization-events.ts";

/** Every RPC of the service and the function that answers it. */
export function authorizationHistoryService(): ServiceImpl<typeof AuthorizationHistoryService> {
  return {
    listAuthorizationEvents: listAuthorizationEvents(),
  };
}
