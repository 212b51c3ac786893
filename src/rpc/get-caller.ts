import { Code, ConnectError, type MethodImpl } from "@connectrpc/connect";
import type { CallerService } from "../../gen/service/authorization/v2/caller_service_pb.ts";

export function getCaller(): MethodImpl<typeof CallerService.method.getCaller> {
  return () => {
    throw new ConnectError("not served yet", Code.Unimplemented);
  };
}
