import { Code, ConnectError, type MethodImpl } from "@connectrpc/connect";
import type { CallerService } from "../../gen/service/authorization/v2/caller_service_pb.ts";

export function explainAccess(): MethodImpl<typeof CallerService.method.explainAccess> {
  return () => {
    throw new ConnectError("not served yet", Code.Unimplemented);
  };
}
