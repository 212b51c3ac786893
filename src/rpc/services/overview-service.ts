import type { ServiceImpl } from "@connectrpc/connect";
import type { OverviewService } from "../../../gen/service/authorization/v2/overview_service_pb.ts";
import type { ReadOverview } from "../../authorization/overview.ts";
import { visibilityOf } from "../../authorization/permissions.ts";
import { callerOf } from "../call.ts";
import { fromState, toFilter } from "../messages/authorizations.ts";
import { mutable } from "../messages/mutable.ts";

export function overviewService(readOverview: ReadOverview): ServiceImpl<typeof OverviewService> {
  return {
    async getOverview({ filters, top, days }, context) {
      const query = { filters: filters.map(toFilter), top: top || 10, days: days || 30 };
      const visibility = visibilityOf(callerOf(context));
      const { total, states, ...found } = mutable(await readOverview(visibility, query, context.signal));
      const counts = states.map(({ state, count }) => ({ state: fromState(state), count }));
      return { ...found, totalResult: total, states: counts };
    },
  };
}
