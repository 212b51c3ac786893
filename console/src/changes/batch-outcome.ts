import { type Authorization, State } from "@authorization-service/client";
import { failureOf } from "../parts/failure.ts";
import { nameOf } from "../parts/role-chips.tsx";
import { type Made, type Undoable, undoAction } from "../undo/undoables.ts";
import { assignmentChangeWords, batchWords as words } from "../words/assignment-changes.ts";
import { undoWords } from "../words/undo.ts";
import { assignments } from "./assignment-name.ts";
import type { Outcome } from "./batch.ts";
import { type BatchChange, labelOf } from "./batch-change.ts";
import type { Changed } from "./look-again.ts";
import { isNew } from "./new-row.ts";
import type { ListedRow } from "./row-list.tsx";

/** The progress of a batch. */
export type Run = {
  readonly change: BatchChange;
  readonly reason: string;
  readonly changed: readonly Changed[];
  readonly step: "sending" | "stopping" | "ended";
  /** The error of the last request. */
  readonly error?: unknown;
};

/** All results, those that need attention first. */
export function listed(changed: readonly Changed[]): ListedRow[] {
  // The title says it for all of them.
  if (changed.every(({ outcome }) => outcome.case === "done")) return changed.map(({ row }) => ({ row }));
  return changed
    .toSorted((one, other) => urgency(other) - urgency(one))
    .map((one) => ({ row: one.row, text: textOf(one), isBad: ["failed", "uncertain"].includes(one.outcome.case) }));
}

/** Such as `218 done, 3 failed, 9 uncertain`. */
export function summaryOf(changed: readonly Changed[]): string {
  return Object.entries(words.outcomes satisfies Record<Outcome["case"], string>)
    .map(([outcome, word]) => [changed.filter((one) => one.outcome.case === outcome).length, word] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => words.counted(count, word))
    .join(", ");
}

/**
 * The rows that are still to be changed, in their latest known state, without removed ones. Rows that were skipped are
 * not among them, because the person was told before, and there is nothing to do about them.
 */
export function leftOf(changed: readonly Changed[]): Authorization[] {
  return changed.flatMap((one) => (one.outcome.case === "done" || isGone(one) ? [] : [one.now ?? one.row]));
}

/** What is said of the change of one assignment. */
export type Said = Pick<Undoable, "what" | "undone"> & {
  readonly name: string;
  /** What is done to it, such as "deactivated". */
  readonly verb: string;
};

/** What was done of a batch, to be undone together. */
export function undoableOf({ change, reason, changed }: Run, said: Said | undefined): Omit<Undoable, "key"> {
  const what = whatOf(change);
  const made = changed.flatMap(({ row, outcome }): Made[] =>
    outcome.case === "done"
      ? [{ what: isNew(row) ? "created" : what, row: { ...row, id: outcome.id ?? row.id }, since: outcome.since }]
      : [],
  );
  const name = labelOf(change);
  return {
    what: said?.what ?? words.titled(name, assignments(made.length)),
    undone: said?.undone ?? undoWords.doneOfBatch(name, made.length),
    made,
    reason,
  };
}

/** The message about a batch that has ended, or about its only assignment. */
export function messageOf({ change, changed, error }: Run, undoable: Undoable | undefined, said: Said | undefined) {
  return {
    failed: changed.some(({ outcome }) => outcome.case !== "done"),
    text: said ? saidOfOne(said, changed[0], error) : `${words.titled(labelOf(change), summaryOf(changed))}.`,
    ...(undoable && { action: undoAction(undoable) }),
  };
}

function saidOfOne({ name, verb, what }: Said, one: Changed | undefined, error: unknown): string {
  if (one?.outcome.case === "done") return what;
  if (one?.outcome.case === "uncertain") {
    return `${assignmentChangeWords.uncertain(name, verb)} ${assignmentChangeWords.lookFirst}`;
  }
  const { title, advice, requestId } = one?.outcome.case === "failed" ? one.outcome.failure : failureOf(error);
  const id = requestId === undefined ? "" : assignmentChangeWords.requestId(requestId);
  return assignmentChangeWords.isNot(name, verb, assignmentChangeWords.why(title, advice) + id);
}

function whatOf(change: BatchChange): Made["what"] {
  if (change.kind === "delete") return "deleted";
  if (change.kind === "set-end") return "end";
  return "keys" in change || change.kind === "give" ? "roles" : "state";
}

const conflicts = ["AUTHORIZATION_CHANGED", "AUTHORIZATION_EXISTS"];

/** Someone else was faster. */
export function isConflict({ outcome }: Changed): boolean {
  return outcome.case === "failed" && conflicts.includes(outcome.failure.reason ?? "");
}

export function isGone({ outcome }: Changed): boolean {
  return outcome.case === "failed" && outcome.failure.reason === "AUTHORIZATION_NOT_FOUND";
}

function urgency({ outcome }: Changed): number {
  return ["done", "unsent", "failed", "uncertain"].indexOf(outcome.case);
}

function textOf({ outcome, now }: Changed): string {
  switch (outcome.case) {
    case "done":
      return words.done;
    case "unsent":
      return words.notDone;
    case "uncertain":
      return words.isUncertain;
    case "failed": {
      const { title, advice, reason } = outcome.failure;
      const isShown = reason !== undefined && conflicts.includes(reason) && now !== undefined;
      return isShown ? words.changedTo(title, stateOf(now)) : words.failed(assignmentChangeWords.why(title, advice));
    }
  }
}

function stateOf({ state, roles }: Authorization): string {
  const names = roles.map(nameOf).join(", ") || words.noRoles;
  return state === State.ACTIVE ? words.active(names) : words.inactive(names);
}
