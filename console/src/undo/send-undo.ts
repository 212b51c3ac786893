import { type Authorization, State } from "@authorization-service/client";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { ConnectError, Transport } from "@connectrpc/connect";
import { type Order, type Outcome, sendBatch } from "../changes/batch.ts";
import { isUncertain } from "../changes/uncertain.ts";
import { failureOf } from "../parts/failure.ts";
import { undoWords } from "../words/undo.ts";
import type { Made } from "./undoables.ts";

/** A change that was not undone, and why. */
export type NotUndone = { readonly row: Authorization; readonly text: string };

/** What undoing did. */
export type Undone = {
  readonly left: readonly NotUndone[];
  /** The ids and change dates that the assignments have now. */
  readonly now: readonly { readonly made: Made; readonly id: string; readonly since: Timestamp | undefined }[];
};

/** Undoes changes, but only those of assignments that no one has changed since. Stops when a request fails. */
export async function sendUndo(transport: Transport, made: readonly Made[], reason: string): Promise<Undone> {
  const outcomes = new Map<string, Outcome>();
  const send = (orders: readonly Order[]) =>
    sendBatch(transport, orders, {
      reason,
      onOutcomes(some) {
        for (const [id, outcome] of some) outcomes.set(id, outcome);
      },
    });
  const error = await send(made.map(orderFor));
  const left: NotUndone[] = [];
  const done = made.flatMap((one) => {
    const outcome = outcomes.get(one.row.id);
    if (outcome?.case === "done") return [{ made: one, id: outcome.id ?? one.row.id, since: outcome.since }];
    left.push({ row: one.row, text: textOf(outcome, error) });
    return [];
  });
  // What is created again is active.
  const isInactive = ({ made: { what, row } }: Undone["now"][number]) =>
    what === "deleted" && row.state === State.INACTIVE;
  const again = done.filter(isInactive);
  await send(again.map(({ made, id }) => ({ row: { ...made.row, id, changeDate: undefined }, to: "inactive" })));
  const now = done.flatMap((one) => {
    if (!isInactive(one)) return [one];
    const outcome = outcomes.get(one.id);
    if (outcome?.case === "done") return [{ ...one, since: outcome.since }];
    left.push({ row: one.made.row, text: undoWords.isActiveNow });
    return [];
  });
  return { left, now };
}

/** What makes an assignment what it was. One that was deleted is created. */
function orderFor({ what, row: before, since }: Made): Order {
  const row = { ...before, changeDate: since };
  const roleKeys = before.roles.map(({ key }) => key);
  switch (what) {
    case "state":
      return { row, to: before.state === State.ACTIVE ? "active" : "inactive" };
    case "created":
      return { row, to: "deleted" };
    case "roles":
      return { row, to: { roleKeys } };
    case "end":
      return { row, to: { roleKeys, end: before.expirationDate ?? "never" } };
    case "deleted":
      return { row, to: { roleKeys, end: before.expirationDate } };
  }
}

function textOf(outcome: Outcome | undefined, error: ConnectError | undefined): string {
  if (outcome?.case === "uncertain") return undoWords.uncertain;
  const failure = outcome?.case === "failed" ? outcome.failure : error && !isUncertain(error) && failureOf(error);
  return failure ? `${failure.title}. ${failure.advice}` : undoWords.unsent;
}
