import { State } from "@authorization-service/client";
import {
  type AdministratorEntry,
  DirectoryService,
  ChangeOutcome_Effect as Effect,
} from "@authorization-service/client/directory";
import { createClient, type Transport } from "@connectrpc/connect";
import type { QueryClient } from "@tanstack/react-query";
import type { ListedRow } from "../changes/assignment-name.ts";
import { type Order, type Outcome, sendBatch } from "../changes/batch.ts";
import { askAnew } from "../changes/changed-queries.ts";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { RowList } from "../changes/row-list.tsx";
import { isUncertain } from "../changes/uncertain.ts";
import { placeOf } from "../directory-changes/entry-place.ts";
import { announce } from "../parts/announcements.tsx";
import { failureOf } from "../parts/failure.ts";
import { offboardWords } from "../words/offboard.ts";
import { undoWords as words } from "../words/undo.ts";
import { carryOn, type Made, type Remade, type Undoable } from "./undoables.ts";

// What is loaded when something is undone: few people undo anything.

/** Lists what could not be undone, and why. */
export function NotUndoneDialog(props: { left: readonly ListedRow[]; all: number; onClose: () => void }) {
  const { left, all, onClose } = props;
  return (
    <DialogFrame title={words.failedTitle} onClose={onClose} closeLabel={words.close}>
      <p>{words.failedCount(left.length, all)}</p>
      <RowList label={words.failedList} rows={left} />
    </DialogFrame>
  );
}

/**
 * Undoes changes, but only those of assignments that no one has changed since, and says what came of it. Resolves to what
 * was not undone, and why.
 */
export async function sendUndo(
  transport: Transport,
  queries: QueryClient,
  { made, entries = [], undone, reason }: Undoable,
): Promise<readonly ListedRow[]> {
  const { left, now } = await restoreAssignments(transport, made, words.reason(reason));
  const problem = await restoreEntries(transport, entries, words.reason(reason));
  carryOn(now);
  // Administrator roles decide what is seen anywhere.
  if (entries.length > 0) void queries.invalidateQueries({ predicate: ({ meta }) => meta?.isDryRun !== true });
  else askAnew(queries);
  if (problem !== undefined) announce({ failed: true, text: problem });
  else if (left.length > 0) announce({ failed: true, text: words.failedCount(left.length, made.length) });
  else announce({ text: undone });
  return left;
}

/** Stops when a request fails. Resolves also to what the others are now. */
async function restoreAssignments(transport: Transport, made: readonly Made[], reason: string) {
  const first = await sendBatch(transport, made.map(orderFor), { reason });
  const left: ListedRow[] = [];
  const done = made.flatMap((one): Remade[] => {
    const outcome = first.outcomes.get(one.row.id);
    if (outcome?.case === "done") return [{ made: one, id: outcome.id ?? one.row.id, since: outcome.since }];
    left.push({ row: one.row, text: textOf(outcome, first.error), isBad: true });
    return [];
  });
  // What is created again is active.
  const again = done.filter(({ made: { what, row } }) => what === "deleted" && row.state === State.INACTIVE);
  const orders = again.map(
    ({ made, id }): Order => ({ row: { ...made.row, id, changeDate: undefined }, to: "inactive" }),
  );
  const second = await sendBatch(transport, orders, { reason });
  const now = done.flatMap((one) => {
    const outcome = again.includes(one) ? second.outcomes.get(one.id) : one;
    if (outcome && "since" in outcome) return [{ ...one, since: outcome.since }];
    left.push({ row: one.made.row, text: words.isActiveNow, isBad: true });
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

function textOf(outcome: Outcome | undefined, error: unknown): string {
  if (outcome?.case === "uncertain") return words.uncertain;
  if (outcome?.case !== "failed" && (error === undefined || isUncertain(error))) return words.unsent;
  const { title, advice } = outcome?.case === "failed" ? outcome.failure : failureOf(error);
  return `${title}. ${advice}`;
}

/** Gives administrator roles back, but only where no one has given others since. Resolves to why that failed. */
async function restoreEntries(
  transport: Transport,
  entries: readonly AdministratorEntry[],
  reason: string,
): Promise<string | undefined> {
  if (entries.length === 0) return undefined;
  const client = createClient(DirectoryService, transport);
  const changes = entries.flatMap(({ user, scope, roles }) => {
    const place = placeOf(scope);
    const value = place && { userId: user?.id ?? "", scope: place.scope, roles };
    return value ? [{ change: { case: "administrator" as const, value } }] : [];
  });
  try {
    const { outcomes, version } = await client.applyChanges({ changes, dryRun: true });
    const wanted = changes.filter((_, at) => outcomes[at]?.effect === Effect.CREATED);
    if (wanted.length > 0) await client.applyChanges({ changes: wanted, reason, ifVersion: version });
    return undefined;
  } catch (error) {
    return offboardWords.notUndone(textOf(isUncertain(error) ? { case: "uncertain" } : undefined, error));
  }
}
