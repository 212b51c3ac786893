import type { MethodImpl } from "@connectrpc/connect";
import type { OverviewService } from "../../../gen/service/authorization/v2/overview_service_pb.ts";
import type { OverviewStore } from "../../authorization/overview.ts";
import { visibilityOf } from "../../authorization/permissions.ts";
import { callerOf } from "../call.ts";
import { fromState, toFilter } from "../messages/authorizations.ts";

export function getOverview(store: OverviewStore): MethodImpl<typeof OverviewService.method.getOverview> {
  return async ({ filters, top, days }, context) => {
    const query = { filters: filters.map(toFilter), top: top || 10, days: days || 30 };
    const found = await store.overview(visibilityOf(callerOf(context)), query, context.signal);
    return {
      totalResult: found.total,
      organizations: [...found.organizations],
      inOtherOrganizations: found.inOtherOrganizations,
      projects: [...found.projects],
      forOtherProjects: found.forOtherProjects,
      roles: [...found.roles],
      ofOtherRoles: found.ofOtherRoles,
      states: found.states.map(({ state, count }) => ({ state: fromState(state), count })),
      days: [...found.days],
      onEarlierDays: found.onEarlierDays,
      endingIn7Days: found.endingIn7Days,
      endingIn30Days: found.endingIn30Days,
      newestDayExceedsLimit: found.newestDayExceedsLimit,
    };
  };
}
