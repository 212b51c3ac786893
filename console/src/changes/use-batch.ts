import type { Authorization } from "@authorization-service/client";
import { Code } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { announce } from "../parts/announcements.tsx";
import { useLeaving } from "../parts/use-leaving.ts";
import { useRemember } from "../undo/undoables.ts";
import { type Outcomes, sendBatch } from "./batch.ts";
import { orderOf } from "./batch-change.ts";
import { isConflict, isDone, isUncertain, messageOf, type Run, undoableOf } from "./batch-outcome.ts";
import { askAnew } from "./changed-queries.ts";
import { useOneAtATime } from "./one-at-a-time.ts";
import { type Changed, lookAgain } from "./rows-now.ts";

type Decision = Pick<Run, "change" | "reason"> & { readonly rows: readonly Authorization[] };

/**
 * Sends a batch, keeps the outcome of each assignment, and looks up those with an unknown outcome.
 *
 * @param decided what was decided on before: it is sent at once
 * @param onEnd called once all of it is done, or when it was decided on before and refused as a whole
 */
export function useBatch(decided: Decision | undefined, onEnd: (run: Run) => void) {
  const transport = useTransport();
  const queries = useQueryClient();
  const { run: once } = useOneAtATime();
  const [run, setRun] = useState(() => decided && runOf(decided, "sending"));
  const keep = useRemember();
  const stopping = useRef<AbortController>(undefined);
  const hasLeft = useRef(false);
  // If the person leaves the page, the current chunk is still finished, but no other, and a message says so.
  useLeaving(() => {
    hasLeft.current = true;
    stopping.current?.abort();
  });
  const begin = useEffectEvent(() => {
    // Not again when the view comes back after its session has ended.
    if (decided && stopping.current === undefined) void once(() => send(decided));
  });
  useEffect(() => begin(), []);

  async function send(decision: Decision) {
    const stop = new AbortController();
    stopping.current = stop;
    const orders = decision.rows.map((row) => orderOf(decision.change, row));
    const progress = (outcomes?: Outcomes) =>
      setRun(runOf(decision, stop.signal.aborted ? "stopping" : "sending", outcomes));
    progress();
    const how = { reason: decision.reason, signal: stop.signal, onProgress: progress };
    const { outcomes, error } = await sendBatch(transport, orders, how);
    const isRefused = error?.code === Code.Unauthenticated && outcomes.size === 0;
    const ended = { ...runOf(decision, isRefused ? "refused" : "ended", outcomes), error };
    // Assignments that someone else changed are shown in their current state, for the person to decide again.
    await conclude(ended, runOf(decision, "sending"), isConflict);
  }

  async function conclude(ended: Run, before: Run, isAsked: (one: Changed) => boolean) {
    const known = await lookUp(ended, isAsked);
    askAnew(queries);
    // What is done though it was refused was done by someone else.
    const isOurs = (at: number) => !ended.changed.slice(at, at + 1).some(isConflict);
    const found = known.changed.filter(
      (one, at) => isDone(one) && before.changed[at]?.outcome.case !== "done" && isOurs(at),
    );
    const run = { ...known, undoable: keep(undoableOf({ ...known, changed: found })) ?? ended.undoable };
    setRun(run);
    if (hasLeft.current) announce(messageOf(run));
    else if (run.changed.every(isDone) || (run.step === "refused" && decided)) onEnd(run);
  }

  /** An assignment that someone else changed stays refused, even if it is as it was meant to be: undoing it would undo theirs. */
  async function lookUp(ended: Run, isAsked: (one: Changed) => boolean): Promise<Run> {
    const asked = ended.changed.filter(isAsked).map(({ row }) => row);
    if (asked.length === 0) return ended;
    setRun({ ...ended, step: "looking" });
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

  return {
    run,
    start: (decision: Decision) => void once(() => send(decision)),
    stop() {
      stopping.current?.abort();
      setRun((current) => (current?.step === "sending" ? { ...current, step: "stopping" } : current));
    },
    look: (ended: Run) => void once(() => conclude({ ...ended, error: undefined }, ended, isUncertain)),
    reset: () => setRun(undefined),
  };
}

function runOf({ change, reason, rows }: Decision, step: Run["step"], outcomes?: Outcomes): Run {
  const changed = rows.map((row) => ({ row, outcome: outcomes?.get(row.id) ?? { case: "unsent" as const } }));
  return { change, reason, changed, step };
}
