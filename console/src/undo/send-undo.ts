import { type Authorization, AuthorizationService, type BatchError, State } from "@authorization-service/client";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { chunkSize, endOf } from "../changes/batch.ts";
import { isUncertain } from "../changes/uncertain.ts";
import { failureOf, failureOfItem } from "../parts/failure.ts";
import { undoWords } from "../words/undo.ts";
import type { Made } from "./undoables.ts";

/** A change that was not undone, and why. */
export type NotUndone = { readonly row: Authorization; readonly text: string };

/** What undoing did. */
export type Outcome = {
  readonly left: readonly NotUndone[];
  /** The ids and change dates that the assignments have now. */
  readonly now: readonly { readonly made: Made; readonly id: string; readonly since: Timestamp | undefined }[];
};

/**
 * Undoes changes, chunk by chunk, but only those of assignments that no one has changed since. Stops when a request fails. Nothing is ever sent again automatically.
 */
export async function sendUndo(transport: Transport, made: readonly Made[], reason: string): Promise<Outcome> {
  const client = createClient(AuthorizationService, transport);
  const left: NotUndone[] = [];
  const now: Outcome["now"][number][] = [];
  const chunks = [...Map.groupBy(made, kindOf).values()].flatMap(chunked);
  for (const [index, chunk] of chunks.entries()) {
    try {
      const answers = await send(client, chunk, reason);
      for (const [place, one] of chunk.entries()) {
        const answer = answers[place] ?? { text: undoWords.uncertain };
        if (answer.text === undefined) now.push({ made: one, id: answer.id ?? one.row.id, since: answer.since });
        else left.push({ row: one.row, text: answer.text });
      }
    } catch (error) {
      const text = isUncertain(error) ? undoWords.uncertain : textOf(failureOf(error));
      const unsent = chunks.slice(index + 1).flat();
      left.push(...chunk.map(({ row }) => ({ row, text })));
      left.push(...unsent.map(({ row }) => ({ row, text: undoWords.unsent })));
      break;
    }
  }
  return { left, now };
}

/** Why a change was not undone, or the assignment's change date now, and its id if it has another one. */
type Answer =
  | { readonly text: string }
  | { readonly text?: undefined; readonly id?: string | undefined; readonly since: Timestamp | undefined };

async function send(
  client: Client<typeof AuthorizationService>,
  chunk: readonly Made[],
  reason: string,
): Promise<readonly Answer[]> {
  const [first] = chunk;
  const items = chunk.map(({ row, since }) => ({ id: row.id, ...(since && { ifUnchangedSince: since }) }));
  switch (first?.what) {
    case "state":
      return answersIn(await client.batchSetState({ state: first.row.state, items, reason }));
    case "created":
      return answersIn(await client.batchDeleteAuthorizations({ items, reason }));
    case "end":
    case "roles": {
      const updates = chunk.map(({ what, row }, place) => ({
        ...items[place],
        roleKeys: keysOf(row),
        ...(what === "end" && endOf(row.expirationDate)),
      }));
      return answersIn(await client.batchUpdateAuthorizations({ items: updates, reason }));
    }
    case "deleted":
      return createAgain(client, chunk, reason);
    default:
      return [];
  }
}

/** Creates assignments as they were. New ones are active, so inactive ones are deactivated in a second request. */
async function createAgain(
  client: Client<typeof AuthorizationService>,
  chunk: readonly Made[],
  reason: string,
): Promise<readonly Answer[]> {
  const items = chunk.map(({ row }) => ({
    userId: row.user?.id ?? "",
    projectId: row.project?.id ?? "",
    organizationId: row.organization?.id ?? "",
    roleKeys: keysOf(row),
    ...(row.expirationDate && { expirationDate: row.expirationDate }),
  }));
  const answer = await client.batchCreateAuthorizations({ items, reason });
  const answers = [...answersIn(answer)];
  const inactive = answers.flatMap((one, place) =>
    one.text === undefined && one.id && chunk[place]?.row.state === State.INACTIVE ? [{ place, id: one.id }] : [],
  );
  if (inactive.length === 0) return answers;
  const stayedActive = { text: undoWords.isActiveNow };
  const deactivated = await client
    .batchSetState({ state: State.INACTIVE, items: inactive.map(({ id }) => ({ id })), reason })
    .then(answersIn, () => []);
  for (const [index, { place, id }] of inactive.entries()) {
    const one = deactivated[index] ?? stayedActive;
    answers[place] = one.text === undefined ? { ...one, id } : stayedActive;
  }
  return answers;
}

type Success = { readonly id?: string; readonly creationDate?: Timestamp; readonly changeDate?: Timestamp };
type Result =
  | { readonly case: "success"; readonly value: object }
  | { readonly case: "error"; readonly value: BatchError }
  | { readonly case: undefined };

function answersIn({ results }: { readonly results: readonly { readonly result: Result }[] }): readonly Answer[] {
  return results.map(({ result }) => {
    if (result.case === "error") return { text: textOf(failureOfItem(result.value)) };
    if (result.case === undefined) return { text: undoWords.uncertain };
    const { id, creationDate, changeDate }: Success = result.value;
    return { id, since: changeDate ?? creationDate };
  });
}

function textOf({ title, advice }: { title: string; advice: string }): string {
  return `${title}. ${advice}`;
}

function keysOf({ roles }: Authorization): string[] {
  return roles.map(({ key }) => key).toSorted();
}

/** Changes of the same kind are undone in the same request. */
function kindOf({ what, row }: Made): string {
  return what === "state" ? `${what} ${row.state}` : what;
}

function chunked(made: readonly Made[]): (readonly Made[])[] {
  const count = Math.ceil(made.length / chunkSize);
  return Array.from({ length: count }, (_, index) => made.slice(index * chunkSize, (index + 1) * chunkSize));
}
