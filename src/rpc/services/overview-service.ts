import type { ServiceImpl } from "@connectrpc/connect";
import type { OverviewService } from "../../../gen/service/authorization/v2/overview_service_pb.ts";
import type { OverviewStore } from "../../authorization/overview.ts";
import { getOverview } from "../authorizations/get-overview.ts";

export function overviewService(store: OverviewStore): ServiceImpl<typeof OverviewService> {
  return { getOverview: getOverview(store) };
}
