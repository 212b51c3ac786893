import { Code, ConnectError, type MethodImpl } from "@connectrpc/connect";
import type { OverviewService } from "../../gen/service/authorization/v2/overview_service_pb.ts";

export function getOverview(): MethodImpl<typeof OverviewService.method.getOverview> {
  return () => {
    throw new ConnectError("not served yet", Code.Unimplemented);
  };
}
