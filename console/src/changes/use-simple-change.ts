import type { Authorization } from "@authorization-service/client";
import { Code, ConnectError } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useState } from "react";
import { announce } from "../parts/announcements.tsx";
import { failureOf, reasonOf } from "../parts/failure.ts";
import { useRemember } from "../undo/use-remember.ts";
import { assignmentChangeWords as words } from "../words/assignment-changes.ts";
import { undoWords } from "../words/undo.ts";
import { assignmentName } from "./assignment-name.ts";
import { useAskAnew } from "./changed-queries.ts";
import { type Latest, latestOf } from "./latest.ts";
import { useOneAtATime } from "./one-at-a-time.ts";
import { oppositeOf, pastTense, type SimpleChange, sendSimpleChange } from "./simple-change.ts";
import { isUncertain } from "./uncertain.ts";
import { useIsMounted } from "./use-is-mounted.ts";

/** Someone else was faster: the state that the change was meant for, and the current one. */
export type Conflict = {
  readonly change: SimpleChange;
  readonly shown: Authorization;
  readonly reason: string;
  readonly latest: Latest;
};

const conflicts = ["AUTHORIZATION_CHANGED", "AUTHORIZATION_NOT_FOUND"];

/** Makes simple changes, reports their outcomes, and keeps a conflict until the person decides. */
export function useSimpleChange(onGone: () => void) {
  const isMounted = useIsMounted();
  const transport = useTransport();
  const askAnew = useAskAnew();
  const { tell } = useRemember();
  const { isRunning, run } = useOneAtATime();
  const [conflict, setConflict] = useState<Conflict>();

  /** Resolves to whether the change is done with. It isn't if the person was signed out and has to decide again. */
  async function change(change: SimpleChange, shown: Authorization, reason: string): Promise<boolean> {
    try {
      const since = await sendSimpleChange(transport, change, shown, reason);
      const name = assignmentName(shown);
      tell(words.isNow(name, pastTense[change]), {
        undone: undoWords.done(undoneText(change, name)),
        made: [{ what: change === "delete" ? "deleted" : "state", row: shown, since }],
        reason,
      });
      setConflict(undefined);
      if (change === "delete") onGone();
      return true;
    } catch (error) {
      const isSignedOut = ConnectError.from(error).code === Code.Unauthenticated;
      // People who have left can't decide here any more, so they get a message.
      const isConflict = isMounted.current && conflicts.includes(reasonOf(ConnectError.from(error)));
      const latest = isConflict ? await latestOf(transport, shown.id).catch(() => undefined) : undefined;
      if (!isSignedOut) setConflict(latest && { change, shown, reason, latest });
      if (latest === undefined) announce(failedText(error, change, shown));
      return !isSignedOut;
    } finally {
      askAnew();
    }
  }

  return {
    isRunning,
    conflict,
    forgetConflict: () => setConflict(undefined),
    async change(wanted: SimpleChange, shown: Authorization, reason: string): Promise<boolean> {
      let isDone = false;
      await run(async () => {
        isDone = await change(wanted, shown, reason);
      });
      return isDone;
    },
  };
}

function undoneText(change: SimpleChange, name: string): string {
  return change === "delete" ? undoWords.isBack(name) : undoWords.hasState(name, pastTense[oppositeOf(change)]);
}

function failedText(error: unknown, change: SimpleChange, shown: Authorization) {
  const { title, advice, requestId } = failureOf(error);
  const name = assignmentName(shown);
  if (isUncertain(error)) {
    return {
      failed: true,
      text: `${words.uncertain(name, pastTense[change])} ${words.lookFirst}`,
    };
  }
  const id = requestId === undefined ? "" : words.requestId(requestId);
  return { failed: true, text: words.isNot(name, pastTense[change], words.why(title, advice) + id) };
}
