import { type Authorization, AuthorizationService } from "@authorization-service/client";
import { createClient, type Transport } from "@connectrpc/connect";
import { failureOfItem } from "../parts/failure.ts";
import type { Outcome } from "./batch.ts";
import { type BatchChange, isDone } from "./batch-change.ts";
import { isNew } from "./new-row.ts";
import { rowsNow } from "./rows-now.ts";
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

const mostIds = 1_000;

/** Looks up the current state of assignments, and concludes the outcome of each change from it. */
export async function lookAgain(
  transport: Transport,
  change: BatchChange,
  rows: readonly Authorization[],
): Promise<Changed[]> {
  const client = createClient(AuthorizationService, transport);
  const there = new Map<string, Authorization>();
  const old = rows.filter((row) => !isNew(row));
  for (let start = 0; start < old.length; start += mostIds) {
    const ids = old.slice(start, start + mostIds).map(({ id }) => id);
    const { authorizations } = await client.listAuthorizations({
      filters: [{ filter: { case: "authorizationIds", value: { ids } } }],
      pagination: { limit: ids.length, skipTotal: true },
    });
    for (const one of authorizations) there.set(one.id, one);
  }
  // What was to be created has no id that is known here.
  const fresh = rows.filter(isNew);
  for (const [at, now] of (await rowsNow(transport, fresh)).entries()) there.set(fresh[at]?.id ?? "", now);
  return rows.map((row) => ({ row, ...judged(change, row, there.get(row.id)) }));
}

function judged(change: BatchChange, row: Authorization, now: Authorization | undefined): Omit<Changed, "row"> {
  if (now === undefined)
    return { outcome: change.kind === "delete" ? { case: "done" } : refused("AUTHORIZATION_NOT_FOUND") };
  if (isSameMoment(now.changeDate, row.changeDate)) return { outcome: { case: "unsent" }, now };
  return {
    outcome: isDone(change, now)
      ? { case: "done", since: now.changeDate, id: now.id }
      : refused("AUTHORIZATION_CHANGED"),
    now,
  };
}

function refused(reason: string): Outcome {
  return { case: "failed", failure: failureOfItem({ reason, message: "" }) };
}
