import { OverviewService } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";

/** The most organizations and roles that the service counts. */
const most = 100;

/** How many assignments of a project the reader sees, by organization and by role. */
export function useHolders(projectId: string) {
  return useQuery(
    OverviewService.method.getOverview,
    { filters: [{ filter: { case: "projectId", value: { id: projectId } } }], top: most, days: 1 },
    { enabled: projectId !== "" },
  );
}
