import {
  AuthorizationHistoryService,
  AuthorizationService,
  CallerService,
  OverviewService,
} from "@authorization-service/client";
import { createConnectQueryKey } from "@connectrpc/connect-query";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

const concerned = [AuthorizationService, AuthorizationHistoryService, OverviewService, CallerService];

/**
 * The queries to repeat after a change, or after a refusal that reveals one: lists, the panel, the history, the
 * overview and the rights.
 */
export function askAnew(queries: QueryClient): void {
  for (const schema of concerned) {
    void queries.invalidateQueries({ queryKey: createConnectQueryKey({ schema, cardinality: undefined }) });
  }
}

export function useAskAnew(): () => void {
  const queries = useQueryClient();
  return useCallback(() => askAnew(queries), [queries]);
}
