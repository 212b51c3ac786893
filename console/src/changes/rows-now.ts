import { type Authorization, AuthorizationService } from "@authorization-service/client";
import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { useQuery } from "@tanstack/react-query";
import { failureOfItem } from "../parts/failure.ts";
import { atMost } from "../settings.ts";
import type { Outcome } from "./batch.ts";
import { type BatchChange, isDone } from "./batch-change.ts";
import { isNew, slotOf } from "./new-row.ts";
import { placeOf } from "./offered-roles.ts";
import { isSameMoment } from "./same-moment.ts";

/**
 * An assignment as it was when the person decided on the change, the outcome, and the current state if it was looked
 * up.
 */
export type Changed = {
  readonly row: Authorization;
  readonly outcome: Outcome;
  readonly now?: Authorization | undefined;
};

const mostIds = atMost(1_000);

/** What there is of the rows now, by their ids. What was to be created is found by its person and place. */
export async function rowsNow(
  transport: Transport,
  rows: readonly Authorization[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Authorization>> {
  const client = createClient(AuthorizationService, transport);
  const there = new Map<string, Authorization>();
  const placeIfNew = (row: Authorization) => (isNew(row) ? JSON.stringify(placeOf(row)) : "");
  for (const ofPlace of Map.groupBy(rows, placeIfNew).values()) {
    for (let start = 0; start < ofPlace.length; start += mostIds) {
      const some = ofPlace.slice(start, start + mostIds);
      const filters = filtersFor(some).map((filter) => ({ filter }));
      const pagination = { limit: some.length, skipTotal: true };
      const answer = await client.listAuthorizations({ filters, pagination }, { ...(signal && { signal }) });
      for (const one of answer.authorizations) for (const key of [one.id, slotOf(one)]) there.set(key, one);
    }
  }
  return there;
}

/** The same, asked for again after each change. */
export function useRowsNow(rows: readonly Authorization[]) {
  const transport = useTransport();
  const service = createConnectQueryKey({ schema: AuthorizationService, cardinality: undefined });
  return useQuery({
    queryKey: [...service, "there", rows.map(({ id }) => id)],
    queryFn: ({ signal }) => rowsNow(transport, rows, signal),
    enabled: rows.length > 0,
  });
}

function filtersFor(rows: readonly Authorization[]) {
  const [first] = rows as [Authorization];
  if (!isNew(first)) return [{ case: "authorizationIds" as const, value: { ids: rows.map(({ id }) => id) } }];
  const { projectId, organizationId } = placeOf(first);
  return [
    { case: "projectId" as const, value: { id: projectId } },
    { case: "organizationId" as const, value: { id: organizationId } },
    { case: "inUserIds" as const, value: { ids: rows.map(({ user }) => user?.id ?? "") } },
  ];
}

/** Looks up the current state of assignments, and concludes the outcome of each change from it. */
export async function lookAgain(
  transport: Transport,
  change: BatchChange,
  rows: readonly Authorization[],
): Promise<Changed[]> {
  const there = await rowsNow(transport, rows);
  return rows.map((row) => ({ row, ...judged(change, row, there.get(row.id) ?? (isNew(row) ? row : undefined)) }));
}

function judged(change: BatchChange, row: Authorization, now: Authorization | undefined): Omit<Changed, "row"> {
  if (now === undefined) {
    return { outcome: change.kind === "delete" ? { case: "done" } : refused("AUTHORIZATION_NOT_FOUND") };
  }
  if (isSameMoment(now.changeDate, row.changeDate)) return { outcome: { case: "unsent" }, now };
  const isMade = isDone(change, now);
  return {
    outcome: isMade ? { case: "done", since: now.changeDate, id: now.id } : refused("AUTHORIZATION_CHANGED"),
    now,
  };
}

function refused(reason: string): Outcome {
  return { case: "failed", failure: failureOfItem({ reason, message: "" }) };
}
