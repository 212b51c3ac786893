import type { PaginationResponse } from "@authorization-service/client";

/** The service counts events up to this number. A larger total says only that there are more. */
const mostCounted = 10_000;

/** How many events a list has; infinite if the service didn't count them all. */
export function totalOfEvents(pagination: Pick<PaginationResponse, "totalResult"> | undefined): number {
  const total = pagination?.totalResult ?? 0;
  return total > mostCounted ? Number.POSITIVE_INFINITY : total;
}
