import { type Authorization, State } from "@authorization-service/client";
import type { Announcement } from "../parts/announcements.tsx";
import { failureOf } from "../parts/failure.ts";
import { nameOf } from "../parts/role-chips.tsx";
import { type Made, type Undoable, undoAction } from "../undo/undoables.ts";
import { assignmentChangeWords, batchWords as words } from "../words/assignment-changes.ts";
import { undoWords } from "../words/undo.ts";
import { assignmentName, type ListedRow, nameOfAll } from "./assignment-name.ts";
import type { Outcome } from "./batch.ts";
import type { BatchChange } from "./batch-change.ts";
import { isNew } from "./new-row.ts";
import type { Changed } from "./rows-now.ts";

/** The progress of a batch. */
export type Run = {
  readonly change: BatchChange;
  readonly reason: string;
  readonly changed: readonly Changed[];
  /** It is refused if the person was signed out before anything was done: then it can be sent again unchanged. */
  readonly step: "sending" | "stopping" | "looking" | "refused" | "ended";
  /** The error of the last request. */
  readonly error?: unknown;
  /** What of it can be undone. */
  readonly undoable?: Undoable | undefined;
};

/** All results, those that need attention first. */
export function listed(changed: readonly Changed[]): ListedRow[] {
  return changed
    .toSorted((one, other) => urgency(other) - urgency(one))
    .map((one) => ({ row: one.row, text: textOf(one), isBad: ["failed", "uncertain"].includes(one.outcome.case) }));
}

/** Such as `218 assignments deactivated, 3 failed, 9 uncertain`. */
export function summaryOf({ change, changed }: Run): string {
  const others = Object.entries(words.outcomes satisfies Record<Exclude<Outcome["case"], "done">, string>)
    .map(([outcome, word]) => [changed.filter((one) => one.outcome.case === outcome).length, word] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => words.counted(count, word));
  return [words.done[change.kind](nameOfAll(changed.filter(isDone).map(({ row }) => row))), ...others].join(", ");
}

/**
 * The rows that are still to be changed, in their latest known state, without removed ones. Rows that were skipped are
 * not among them, because the person was told before, and there is nothing to do about them.
 */
export function leftOf(changed: readonly Changed[]): Authorization[] {
  return changed.flatMap((one) => (isDone(one) || isGone(one) ? [] : [one.now ?? one.row]));
}

/** What was done of a batch, to be undone together. */
export function undoableOf({ change, reason, changed }: Run): Omit<Undoable, "key"> {
  const kind = whatOf(change);
  const made = changed.flatMap(({ row, outcome }): Made[] =>
    outcome.case === "done"
      ? [{ what: isNew(row) ? "created" : kind, row: { ...row, id: outcome.id ?? row.id }, since: outcome.since }]
      : [],
  );
  const what = words.done[change.kind](nameOfAll(made.map(({ row }) => row)));
  return { what, undone: undoWords.done(what), made, reason };
}

/** The message about a batch that has ended. Of its only assignment, it says why it was not changed. */
export function messageOf(run: Run): Announcement {
  const { change, changed, error, undoable } = run;
  const [one, ...others] = changed;
  const failed = !changed.every(isDone);
  const only = others.length === 0 && failed ? one : undefined;
  // An error says why something was not done, but not that it is unknown whether it was.
  const isKnown = error !== undefined && !changed.some(isUncertain);
  const why = isKnown ? textOfError(error) : only ? textOf(only) : "";
  return {
    failed,
    text: only
      ? words.titled(words.actions[change.kind](assignmentName(only.row)), why)
      : assignmentChangeWords.why(summaryOf(run), why).trim(),
    ...(undoable && { action: undoAction(undoable) }),
  };
}

function whatOf(change: BatchChange): Made["what"] {
  if (change.kind === "delete") return "deleted";
  if (change.kind === "set-end") return "end";
  return "wishes" in change ? "roles" : "state";
}

const conflicts = ["AUTHORIZATION_CHANGED", "AUTHORIZATION_EXISTS"];

/** Someone else was faster. */
export function isConflict({ outcome }: Changed): boolean {
  return outcome.case === "failed" && conflicts.includes(outcome.failure.reason);
}

export function isGone({ outcome }: Changed): boolean {
  return outcome.case === "failed" && outcome.failure.reason === "AUTHORIZATION_NOT_FOUND";
}

export function isDone({ outcome }: Changed): boolean {
  return outcome.case === "done";
}

export function isUncertain({ outcome }: Changed): boolean {
  return outcome.case === "uncertain";
}

function urgency({ outcome }: Changed): number {
  return ["done", "unsent", "failed", "uncertain"].indexOf(outcome.case);
}

function textOf(one: Changed): string {
  const { outcome, now } = one;
  if (outcome.case !== "failed") return words.each[outcome.case];
  const { title, advice } = outcome.failure;
  return isConflict(one) && now ? words.changedTo(title, stateOf(now)) : words.failed(title, advice);
}

function textOfError(error: unknown): string {
  const { title, advice } = failureOf(error);
  return words.failed(title, advice);
}

function stateOf({ state, roles }: Authorization): string {
  const names = roles.map(nameOf).join(", ") || words.noRoles;
  return state === State.ACTIVE ? words.active(names) : words.inactive(names);
}
