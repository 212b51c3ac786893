import { Code, ConnectError, type MethodImpl } from "@connectrpc/connect";
import type { AuthorizationHistoryService } from "../../gen/service/authorization/v2/authorization_history_service_pb.ts";

export function listAuthorizationEvents(): MethodImpl<
  typeof AuthorizationHistoryService.method.listAuthorizationEvents
> {
  return () => {
    throw new ConnectError("not served yet", Code.Unimplemented);
  };
}
