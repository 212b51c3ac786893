import type { Authorization } from "@authorization-service/client";
import { Code, type ConnectError } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useRef, useState } from "react";
import { announce } from "../parts/announcements.tsx";
import { useLeaving } from "../parts/use-leaving.ts";
import { type Undoable, undoAction } from "../undo/undoables.ts";
import { useRemember } from "../undo/use-remember.ts";
import { batchWords } from "../words/assignment-changes.ts";
import { type Outcome, sendBatch } from "./batch.ts";
import { type BatchChange, labelOf } from "./batch-change.ts";
import { isConflict, summaryOf, undoableOf } from "./batch-outcome.ts";
import { useAskAnew } from "./changed-queries.ts";
import { type Changed, lookAgain } from "./look-again.ts";
import { useOneAtATime } from "./one-at-a-time.ts";
import { useIsMounted } from "./use-is-mounted.ts";

/** The progress of a batch. */
export type Run = {
  readonly change: BatchChange;
  readonly reason: string;
  readonly changed: readonly Changed[];
  readonly step: "sending" | "stopping" | "ended";
  /** The error of the last request. */
  readonly error?: unknown;
};

/** Sends a batch, keeps the outcome of each assignment, and looks up those with an unknown outcome. */
export function useBatch() {
  const isMounted = useIsMounted();
  const transport = useTransport();
  const askAnew = useAskAnew();
  const { isRunning, run: once } = useOneAtATime();
  const [run, setRun] = useState<Run>();
  const [undoable, setUndoable] = useState<Undoable>();
  const { keep } = useRemember();
  const [refusal, setRefusal] = useState<ConnectError>();
  const stopping = useRef<AbortController>(undefined);
  // If the person leaves the page, the current chunk is still finished, but no other, and a message says so.
  useLeaving(() => stopping.current?.abort());

  async function send(change: BatchChange, rows: readonly Authorization[], reason: string) {
    const stop = new AbortController();
    stopping.current = stop;
    setRefusal(undefined);
    const outcomes = new Map<string, Outcome>();
    const changed = () => rows.map((row) => ({ row, outcome: outcomes.get(row.id) ?? ({ case: "unsent" } as const) }));
    const progress = () =>
      setRun({ change, reason, changed: changed(), step: stop.signal.aborted ? "stopping" : "sending" });
    progress();
    const error = await sendBatch(transport, change, rows, {
      reason,
      signal: stop.signal,
      onOutcomes: (some) => {
        for (const [id, outcome] of some) outcomes.set(id, outcome);
        progress();
      },
    });
    askAnew();
    const kept = keep(undoableOf({ change, reason, changed: changed() }));
    setUndoable(kept);
    if (!isMounted.current) return announceEnd(change, changed(), kept);
    // Signed out before anything was done: there is nothing to report, and all decisions stay.
    if (error?.code === Code.Unauthenticated && outcomes.size === 0) {
      setRefusal(error);
      return setRun(undefined);
    }
    const ended: Run = { change, reason, changed: changed(), step: "ended", error };
    setRun(ended);
    // Assignments that someone else changed are shown in their current state, for the person to decide again.
    await lookUp(ended, isConflict);
  }

  async function lookUp(ended: Run, isAsked: (one: Changed) => boolean) {
    const { change, reason, changed: all } = ended;
    const asked = all.filter(isAsked).map(({ row }) => row);
    if (asked.length === 0) return;
    try {
      const seen = new Map((await lookAgain(transport, change, asked)).map((one) => [one.row.id, one]));
      setRun({ ...ended, changed: all.map((one) => laterOf(one, seen.get(one.row.id))) });
      const done = keep(undoableOf({ change, reason, changed: [...seen.values()] }));
      if (done) setUndoable(done);
    } catch (failure) {
      setRun({ ...ended, error: ended.error ?? failure });
    }
  }

  return {
    run,
    isRunning,
    /** What of it can be undone. */
    undoable,
    /** Why the whole batch was refused. It can be sent again unchanged. */
    refusal,
    start: (change: BatchChange, rows: readonly Authorization[], reason: string) =>
      once(() => send(change, rows, reason)),
    stop() {
      stopping.current?.abort();
      setRun((current) => current && { ...current, step: current.step === "ended" ? "ended" : "stopping" });
    },
    look: () => run && once(() => lookUp({ ...run, error: undefined }, isUncertain)),
    reset: () => setRun(undefined),
  };
}

/** What is known of a change after a look. A refusal stays one if nothing else was seen. */
function laterOf(one: Changed, seen: Changed | undefined): Changed {
  return seen === undefined || (one.outcome.case === "failed" && seen.outcome.case === "unsent") ? one : seen;
}

/** The message for people who have left the dialog. */
function announceEnd(change: BatchChange, changed: readonly Changed[], undoable: Undoable | undefined) {
  const failed = changed.some(({ outcome }) => outcome.case !== "done");
  announce({
    failed,
    text: `${batchWords.titled(labelOf(change), summaryOf(changed))}.`,
    ...(undoable && { action: undoAction(undoable) }),
  });
}

function isUncertain({ outcome }: Changed): boolean {
  return outcome.case === "uncertain";
}
