import type { ServiceImpl } from "@connectrpc/connect";
import type { OverviewService } from "../../gen/service/authorization/v2/overview_service_pb.ts";
import { getOverview } from "./get-overview.ts";

/** Every RPC of the service and the function that answers it. */
export function overviewService(): ServiceImpl<typeof OverviewService> {
  return {
    getOverview: getOverview(),
  };
}
