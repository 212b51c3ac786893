import {
  AuthorizationHistoryService,
  AuthorizationService,
  CallerService,
  OverviewService,
} from "@authorization-service/client";
import { createConnectQueryKey } from "@connectrpc/connect-query";
import type { QueryClient } from "@tanstack/react-query";

const concerned = [AuthorizationService, AuthorizationHistoryService, OverviewService, CallerService];

/**
 * The queries to repeat after a change, or after a refusal that reveals one: lists, the panel, the history, the
 * overview and the rights.
 */
export function askAnew(queries: QueryClient): void {
  changedAt = performance.now();
  repeatConcerned(queries);
}

/** The same after a change that was not made here. */
export function repeatConcerned(queries: QueryClient): void {
  for (const schema of concerned) {
    void queries.invalidateQueries({ queryKey: createConnectQueryKey({ schema, cardinality: undefined }) });
  }
}

let changedAt = Number.NEGATIVE_INFINITY;

/** How long it takes, at most, until the feed tells of a change, in milliseconds. */
const untilTold = 3_000;

/** Whether something was just changed in this page. What the feed tells of it is shown already. */
export function wasChangedHere(): boolean {
  return performance.now() - changedAt < untilTold;
}
