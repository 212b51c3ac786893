import type { Authorization } from "@authorization-service/client";
import { Code, type ConnectError } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useRef, useState } from "react";
import { announce } from "../parts/announcements.tsx";
import { useLeaving } from "../parts/use-leaving.ts";
import type { Undoable } from "../undo/undoables.ts";
import { useRemember } from "../undo/use-remember.ts";
import { type Outcome, sendBatch } from "./batch.ts";
import { type BatchChange, orderOf } from "./batch-change.ts";
import { isConflict, messageOf, type Run, type Said, undoableOf } from "./batch-outcome.ts";
import { useAskAnew } from "./changed-queries.ts";
import { type Changed, lookAgain } from "./look-again.ts";
import { useOneAtATime } from "./one-at-a-time.ts";

type Told = {
  /** Called once it has ended, unless the person has left. */
  readonly onEnd?: (run: Run, undoable?: Undoable) => void;
  /** What is said of one assignment, instead of what is said of many. */
  readonly says?: (change: BatchChange, row: Authorization) => Said;
};

/** Sends a batch, keeps the outcome of each assignment, and looks up those with an unknown outcome. */
export function useBatch({ onEnd, says }: Told = {}) {
  const transport = useTransport();
  const askAnew = useAskAnew();
  const { isRunning, run: once } = useOneAtATime();
  const [run, setRun] = useState<Run>();
  const [undoable, setUndoable] = useState<Undoable>();
  const { keep } = useRemember();
  const [refusal, setRefusal] = useState<ConnectError>();
  const stopping = useRef<AbortController>(undefined);
  const hasLeft = useRef(false);
  // If the person leaves the page, the current chunk is still finished, but no other, and a message says so.
  useLeaving(() => {
    hasLeft.current = true;
    stopping.current?.abort();
  });

  async function send(change: BatchChange, rows: readonly Authorization[], reason: string) {
    const stop = new AbortController();
    stopping.current = stop;
    setRefusal(undefined);
    const outcomes = new Map<string, Outcome>();
    const changed = () => rows.map((row) => ({ row, outcome: outcomes.get(row.id) ?? ({ case: "unsent" } as const) }));
    const progress = () =>
      setRun({ change, reason, changed: changed(), step: stop.signal.aborted ? "stopping" : "sending" });
    progress();
    const orders = rows.map((row) => orderOf(change, row));
    const error = await sendBatch(transport, orders, {
      reason,
      signal: stop.signal,
      onOutcomes: (some) => {
        for (const [id, outcome] of some) outcomes.set(id, outcome);
        progress();
      },
    });
    askAnew();
    const ended: Run = { change, reason, changed: changed(), step: "ended", error };
    const said = saidOf(ended);
    const kept = keep(undoableOf(ended, said));
    setUndoable(kept);
    if (hasLeft.current) return announce(messageOf(ended, kept, said));
    // Signed out before anything was done: there is nothing to report, and all decisions stay.
    if (error?.code === Code.Unauthenticated && outcomes.size === 0) {
      setRefusal(error);
      setRun(undefined);
      return onEnd?.(ended);
    }
    setRun(ended);
    // Assignments that someone else changed are shown in their current state, for the person to decide again.
    const known = await lookUp(ended, isConflict);
    setRun(known);
    onEnd?.(known, kept);
  }

  function saidOf({ change, changed: [one] }: Run): Said | undefined {
    return one && says?.(change, one.row);
  }

  /** An assignment that someone else changed stays refused, even if it is as it was meant to be: undoing it would undo theirs. */
  async function lookUp(ended: Run, isAsked: (one: Changed) => boolean): Promise<Run> {
    const asked = ended.changed.filter(isAsked).map(({ row }) => row);
    if (asked.length === 0) return ended;
    try {
      const seen = new Map((await lookAgain(transport, ended.change, asked)).map((one) => [one.row.id, one]));
      const changed = ended.changed.map((one) => {
        const later = seen.get(one.row.id) ?? one;
        return isConflict(one) && later.now ? { ...one, now: later.now } : later;
      });
      return { ...ended, changed };
    } catch (failure) {
      return { ...ended, error: ended.error ?? failure };
    }
  }

  async function look(ended: Run) {
    const known = await lookUp({ ...ended, error: undefined }, isUncertain);
    askAnew();
    const found = known.changed.filter((_, at) => ended.changed[at]?.outcome.case === "uncertain");
    const kept = keep(undoableOf({ ...known, changed: found }, saidOf(known))) ?? undoable;
    setUndoable(kept);
    setRun(known);
    onEnd?.(known, kept);
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
    look: () => run && once(() => look(run)),
    reset: () => setRun(undefined),
  };
}

function isUncertain({ outcome }: Changed): boolean {
  return outcome.case === "uncertain";
}
