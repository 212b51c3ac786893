import { Code, ConnectError, type MethodImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";

export function batchCreateAuthorizations(): MethodImpl<typeof AuthorizationService.method.batchCreateAuthorizations> {
  return () => {
    throw new ConnectError("not served yet", Code.Unimplemented);
  };
}
