import { type Authorization, AuthorizationService, type BatchError, State } from "@authorization-service/client";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { type Client, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { type Failure, failureOfItem } from "../parts/failure.ts";
import { isUncertain } from "./uncertain.ts";

/** An assignment, as the person saw it, and what becomes of it. One without a change date is created. */
export type Order = {
  readonly row: Authorization;
  readonly to: "active" | "inactive" | "deleted" | Content;
};

/** The roles of an assignment. Without `end`, it keeps its end; a new one then has none. */
type Content = { readonly roleKeys: readonly string[]; readonly end?: Timestamp | "never" | undefined };

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

/** The outcomes so far, by the ids of the rows. */
export type Outcomes = ReadonlyMap<string, Outcome>;

type Sending = {
  readonly reason: string;
  readonly signal?: AbortSignal;
  /** Called after every chunk. */
  readonly onProgress?: (outcomes: Outcomes) => void;
};

/**
 * Changes the assignments chunk by chunk, but only those that are still as shown. Stops once it is aborted or a request
 * has failed, and then says why. Nothing is ever sent again automatically.
 */
export async function sendBatch(
  transport: Transport,
  orders: readonly Order[],
  { reason, signal, onProgress }: Sending,
): Promise<{ outcomes: Outcomes; error?: ConnectError }> {
  const client = createClient(AuthorizationService, transport);
  const outcomes = new Map<string, Outcome>();
  for (const chunk of chunksOf(orders)) {
    if (signal?.aborted) break;
    try {
      const { results } = await send(client, chunk, reason);
      for (const [at, { row }] of chunk.entries()) outcomes.set(row.id, outcomeOf(results[at]?.result));
    } catch (thrown) {
      const error = ConnectError.from(thrown);
      // If a request is refused as a whole, nothing was changed.
      if (isUncertain(error)) for (const { row } of chunk) outcomes.set(row.id, { case: "uncertain" });
      return { outcomes, error };
    }
    onProgress?.(outcomes);
  }
  return { outcomes };
}

/** What is done in the same way is done by the same requests. */
function chunksOf(orders: readonly Order[]): (readonly Order[])[] {
  const wayOf = ({ row, to }: Order) =>
    typeof to === "string" ? to : row.changeDate === undefined ? "created" : "updated";
  return [...Map.groupBy(orders, wayOf).values()].flatMap((some) =>
    Array.from({ length: Math.ceil(some.length / chunkSize) }, (_, at) =>
      some.slice(at * chunkSize, (at + 1) * chunkSize),
    ),
  );
}

async function send(
  client: Client<typeof AuthorizationService>,
  chunk: readonly Order[],
  reason: string,
): Promise<{ readonly results: readonly { readonly result: Result }[] }> {
  const items = chunk.map(({ row }) => ({ id: row.id, ifUnchangedSince: row.changeDate }));
  const to = chunk[0]?.to;
  if (to === "deleted") return client.batchDeleteAuthorizations({ items, reason });
  if (typeof to === "string") {
    return client.batchSetState({ state: to === "active" ? State.ACTIVE : State.INACTIVE, items, reason });
  }
  const contents = chunk.map(({ to }) => {
    const { roleKeys, end } = to as Content;
    const expires = end === "never" ? { removeExpiration: true } : end && { expirationDate: end };
    return { roleKeys: roleKeys.toSorted(), expires };
  });
  if (chunk[0]?.row.changeDate !== undefined) {
    const updates = contents.map(({ roleKeys, expires }, at) => ({ ...items[at], roleKeys, ...expires }));
    return client.batchUpdateAuthorizations({ items: updates, reason });
  }
  const made = chunk.map(({ row }, at) => ({
    userId: row.user?.id ?? "",
    projectId: row.project?.id ?? "",
    organizationId: row.organization?.id ?? "",
    roleKeys: contents[at]?.roleKeys ?? [],
    ...contents[at]?.expires,
  }));
  return client.batchCreateAuthorizations({ items: made, reason });
}

type Result =
  | { readonly case: "success"; readonly value: object }
  | { readonly case: undefined }
  | { readonly case: "error"; readonly value: BatchError };

/** Deletions have no change date. */
type Success = { readonly id?: string; readonly changeDate?: Timestamp; readonly creationDate?: Timestamp };

function outcomeOf(result: Result | undefined): Outcome {
  if (result?.case === "success") {
    const { id, changeDate, creationDate }: Success = result.value;
    return { case: "done", since: changeDate ?? creationDate, ...(id && { id }) };
  }
  return result?.case === "error" ? { case: "failed", failure: failureOfItem(result.value) } : { case: "uncertain" };
}
