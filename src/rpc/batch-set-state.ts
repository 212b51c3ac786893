import { Code, ConnectError, type MethodImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";

export function batchSetState(): MethodImpl<typeof AuthorizationService.method.batchSetState> {
  return () => {
    throw new ConnectError("not served yet", Code.Unimplemented);
  };
}
