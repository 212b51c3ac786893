import {
  AuthorizationHistoryService,
  AuthorizationService,
  CallerService,
  OverviewService,
} from "@authorization-service/client";
import { createConnectQueryKey } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

const concerned = [AuthorizationService, AuthorizationHistoryService, OverviewService, CallerService];

/** After a change, or a refusal that tells of one: lists, the panel, the history, the overview and the rights ask anew. */
export function useAskAnew(): () => void {
  const queries = useQueryClient();
  return useCallback(() => {
    for (const schema of concerned) {
      void queries.invalidateQueries({ queryKey: createConnectQueryKey({ schema, cardinality: undefined }) });
    }
  }, [queries]);
}
