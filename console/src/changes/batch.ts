import { type Authorization, AuthorizationService, type BatchError, State } from "@authorization-service/client";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { type Failure, failureOfItem } from "../parts/failure.ts";
import { type BatchChange, rolesAfter } from "./batch-change.ts";
import { isNew } from "./new-row.ts";
import { keysOf } from "./role-difference.ts";
import { isUncertain } from "./uncertain.ts";

/** The outcome of the change of one assignment. */
export type Outcome =
  | { readonly case: "unsent" }
  /** With the change date that the change gave it; none after deleting. A new one has an id, too. */
  | { readonly case: "done"; readonly since?: Timestamp | undefined; readonly id?: string | undefined }
  | { readonly case: "failed"; readonly failure: Failure }
  /** It was sent, but there was no answer. */
  | { readonly case: "uncertain" };

/** How many assignments one request changes: few enough to stop soon, and many enough to be fast. */
export const chunkSize = 100;

type Sending = {
  readonly reason: string;
  readonly signal: AbortSignal;
  readonly onOutcomes: (outcomes: ReadonlyMap<string, Outcome>) => void;
};

/**
 * Changes the assignments chunk by chunk, but only those that are still as shown. Reports the outcomes of every chunk.
 * Stops once it is aborted or a request has failed, and returns the error of that request. Nothing is ever sent again
 * automatically.
 */
export async function sendBatch(
  transport: Transport,
  change: BatchChange,
  rows: readonly Authorization[],
  { reason, signal, onOutcomes }: Sending,
): Promise<ConnectError | undefined> {
  for (const chunk of chunksOf(rows)) {
    if (signal.aborted) return undefined;
    try {
      const results = await send(transport, change, chunk, reason);
      onOutcomes(new Map(chunk.map(({ id }, index) => [id, outcomeOf(results[index])])));
    } catch (thrown) {
      const error = ConnectError.from(thrown);
      // If a request is refused as a whole, nothing was changed.
      if (isUncertain(error)) onOutcomes(new Map(chunk.map(({ id }) => [id, { case: "uncertain" }])));
      return error;
    }
  }
  return undefined;
}

/** Assignments to create are sent apart from those to change. */
function chunksOf(rows: readonly Authorization[]): (readonly Authorization[])[] {
  return [...Map.groupBy(rows, isNew).values()].flatMap((some) =>
    Array.from({ length: Math.ceil(some.length / chunkSize) }, (_, at) =>
      some.slice(at * chunkSize, (at + 1) * chunkSize),
    ),
  );
}

type Result =
  | { readonly case: "success"; readonly value: object }
  | { readonly case: undefined }
  | { readonly case: "error"; readonly value: BatchError };

async function send(
  transport: Transport,
  change: BatchChange,
  chunk: readonly Authorization[],
  reason: string,
): Promise<Result[]> {
  const client = createClient(AuthorizationService, transport);
  const items = chunk.map(({ id, changeDate }) => ({ id, ifUnchangedSince: changeDate }));
  switch (change.kind) {
    case "activate":
    case "deactivate": {
      const state = change.kind === "activate" ? State.ACTIVE : State.INACTIVE;
      return (await client.batchSetState({ state, items, reason })).results.map(({ result }) => result);
    }
    case "delete":
      return (await client.batchDeleteAuthorizations({ items, reason })).results.map(({ result }) => result);
    default: {
      if (change.kind === "give" && chunk.every(isNew)) {
        const made = chunk.map((row) => ({
          userId: row.user?.id ?? "",
          projectId: row.project?.id ?? "",
          organizationId: row.organization?.id ?? "",
          roleKeys: [...rolesAfter(change, row)].toSorted(),
          ...(change.end && { expirationDate: change.end }),
        }));
        return (await client.batchCreateAuthorizations({ items: made, reason })).results.map(({ result }) => result);
      }
      // An update says all roles.
      const roles = (row: Authorization) => (change.kind === "set-end" ? keysOf(row) : rolesAfter(change, row));
      const updates = chunk.map((row) => ({
        id: row.id,
        ifUnchangedSince: row.changeDate,
        roleKeys: [...roles(row)].toSorted(),
        ...(change.kind === "set-end" && endOf(change.end)),
      }));
      return (await client.batchUpdateAuthorizations({ items: updates, reason })).results.map(({ result }) => result);
    }
  }
}

/** As an update says it. */
export function endOf(end: Timestamp | undefined) {
  return end === undefined ? { removeExpiration: true } : { expirationDate: end };
}

function outcomeOf(result: Result | undefined): Outcome {
  if (result?.case === "success") {
    const { id, changeDate, creationDate }: Success = result.value;
    return { case: "done", since: changeDate ?? creationDate, ...(id && { id }) };
  }
  return result?.case === "error" ? { case: "failed", failure: failureOfItem(result.value) } : { case: "uncertain" };
}

/** Deletions have no change date. */
type Success = { readonly id?: string; readonly changeDate?: Timestamp; readonly creationDate?: Timestamp };
