import { type Authorization, ErrorInfoSchema } from "@authorization-service/client";
import { Code, ConnectError } from "@connectrpc/connect";
import { announce } from "../parts/announcements.tsx";
import type { BatchChange } from "./batch-change.ts";
import { isConflict, isGone, messageOf, type Run, type Said } from "./batch-outcome.ts";
import { useBatch } from "./use-batch.ts";

/** What keeps an assignment from being changed. */
export type Problem =
  /** Someone else was faster. Without `now`, it was removed, or is no longer visible. */
  | { readonly case: "changed"; readonly now: Authorization | undefined }
  | { readonly case: "uncertain" | "unsaved" }
  | { readonly case: "failed"; readonly error: unknown };

type Told = {
  readonly says: (change: BatchChange, row: Authorization) => Said;
  /** Called after the change was announced, with the id of the assignment. */
  readonly onDone: (id: string, run: Run) => void;
  readonly onProblem: (problem: Problem, run: Run) => void;
};

/** Changes one assignment: a batch of one, whose outcome is announced, or kept as a problem for the person to decide. */
export function useOneChange({ says, onDone, onProblem }: Told) {
  const { run, refusal, start, ...batch } = useBatch({
    says,
    onEnd(run, undoable) {
      const [one] = run.changed;
      const problem = problemIn(run);
      if (problem) onProblem(problem, run);
      if (one?.outcome.case !== "done") return;
      announce(messageOf(run, undoable, says(run.change, one.row)));
      onDone(one.outcome.id ?? one.row.id, run);
    },
  });
  return {
    ...batch,
    /** What keeps a row from being changed. A problem with another one says nothing about it. */
    problemWith(row: Authorization): Problem | undefined {
      if (refusal) return { case: "failed", error: refusal };
      return run?.step === "ended" && run.changed[0]?.row.id === row.id ? problemIn(run) : undefined;
    },
    start: (change: BatchChange, row: Authorization, reason: string) => start(change, [row], reason),
  };
}

function problemIn({ changed: [one], error }: Run): Problem | undefined {
  switch (one?.outcome.case) {
    case "uncertain":
      return { case: "uncertain" };
    case "unsent":
      return error === undefined ? { case: "unsaved" } : { case: "failed", error };
    case "failed": {
      if (isGone(one) || (isConflict(one) && one.now)) return { case: "changed", now: one.now };
      // What it is now is still being looked up.
      if (isConflict(one) && error === undefined) return undefined;
      const { detail, reason } = one.outcome.failure;
      const info = { desc: ErrorInfoSchema, value: { reason } };
      return { case: "failed", error: new ConnectError(detail, Code.FailedPrecondition, undefined, [info]) };
    }
    default:
      return undefined;
  }
}
