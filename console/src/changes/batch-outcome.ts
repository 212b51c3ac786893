import { type Authorization, State } from "@authorization-service/client";
import { nameOf } from "../parts/role-chips.tsx";
import type { Made, Undoable } from "../undo/undoables.ts";
import { assignmentChangeWords, batchWords as words } from "../words/assignment-changes.ts";
import { undoWords } from "../words/undo.ts";
import { assignments } from "./assignment-name.ts";
import type { Outcome } from "./batch.ts";
import { type BatchChange, labelOf } from "./batch-change.ts";
import type { Changed } from "./look-again.ts";
import { isNew } from "./new-row.ts";
import type { ListedRow } from "./row-list.tsx";

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

type Done = { readonly change: BatchChange; readonly reason: string; readonly changed: readonly Changed[] };

/** What was done of a batch, to be undone together. */
export function undoableOf({ change, reason, changed }: Done): Omit<Undoable, "key"> {
  const what = whatOf(change);
  const made = changed.flatMap(({ row, outcome }): Made[] =>
    outcome.case === "done"
      ? [{ what: isNew(row) ? "created" : what, row: { ...row, id: outcome.id ?? row.id }, since: outcome.since }]
      : [],
  );
  const name = labelOf(change);
  return {
    what: words.titled(name, assignments(made.length)),
    undone: undoWords.doneOfBatch(name, made.length),
    made,
    reason,
  };
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

function isGone({ outcome }: Changed): boolean {
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
