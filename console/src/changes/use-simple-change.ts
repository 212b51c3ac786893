import type { Authorization } from "@authorization-service/client";
import { Code, ConnectError } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useState } from "react";
import { announce } from "../parts/announcements.tsx";
import { failureOf, reasonOf } from "../parts/failure.ts";
import { assignmentName } from "./assignment-name.ts";
import { useAskAnew } from "./changed-queries.ts";
import { type Latest, latestOf } from "./latest.ts";
import { useOneAtATime } from "./one-at-a-time.ts";
import { oppositeOf, pastTense, type SimpleChange, sendSimpleChange } from "./simple-change.ts";
import { isUncertain } from "./uncertain.ts";
import { useIsMounted } from "./use-is-mounted.ts";

/** Somebody else was faster: what the change was to be made on, and what it would be made on now. */
export type Conflict = { readonly change: SimpleChange; readonly shown: Authorization; readonly latest: Latest };

const conflicts = ["AUTHORIZATION_CHANGED", "AUTHORIZATION_NOT_FOUND"];

/** Makes simple changes, tells what came of them, and keeps the conflict until it is decided. */
export function useSimpleChange(onGone: () => void) {
  const isMounted = useIsMounted();
  const transport = useTransport();
  const askAnew = useAskAnew();
  const { isRunning, run } = useOneAtATime();
  const [conflict, setConflict] = useState<Conflict>();

  /** Answers whether the person is done with it: not when they were signed out, and decide again when they are back. */
  async function change(change: SimpleChange, shown: Authorization): Promise<boolean> {
    try {
      const changeDate = await sendSimpleChange(transport, change, shown);
      const opposite = oppositeOf(change);
      announce({
        text: `${assignmentName(shown)} is ${pastTense[change]}.`,
        ...(opposite && {
          action: { label: "Undo", run: () => void undo(opposite, { ...shown, changeDate }) },
        }),
      });
      setConflict(undefined);
      if (change === "delete") onGone();
      return true;
    } catch (error) {
      const isSignedOut = ConnectError.from(error).code === Code.Unauthenticated;
      // Whoever has left decides nothing here any more, and is told.
      const isConflict = isMounted.current && conflicts.includes(reasonOf(ConnectError.from(error)));
      const latest = isConflict ? await latestOf(transport, shown.id).catch(() => undefined) : undefined;
      if (!isSignedOut) setConflict(latest && { change, shown, latest });
      if (latest === undefined) announce(failedText(error, change, shown));
      return !isSignedOut;
    } finally {
      askAnew();
    }
  }

  /** Whoever undoes may have closed the panel since: the outcome is a message, whatever it is. */
  async function undo(change: SimpleChange, shown: Authorization) {
    try {
      await sendSimpleChange(transport, change, shown);
      announce({ text: `Undone: ${assignmentName(shown)} is ${pastTense[change]} again.` });
    } catch (error) {
      announce(failedText(error, change, shown));
    } finally {
      askAnew();
    }
  }

  return {
    isRunning,
    conflict,
    forgetConflict: () => setConflict(undefined),
    async change(wanted: SimpleChange, shown: Authorization): Promise<boolean> {
      let isDone = false;
      await run(async () => {
        isDone = await change(wanted, shown);
      });
      return isDone;
    },
  };
}

function failedText(error: unknown, change: SimpleChange, shown: Authorization) {
  const { title, advice, requestId } = failureOf(error);
  const name = assignmentName(shown);
  if (isUncertain(error)) {
    return {
      failed: true,
      text: `The server did not answer: it is uncertain whether ${name} was ${pastTense[change]}. Look at it before you try again.`,
    };
  }
  const id = requestId === undefined ? "" : ` Request id: ${requestId}.`;
  return { failed: true, text: `${name} was not ${pastTense[change]}. ${title}. ${advice}${id}` };
}
