import "./changes.css";
import { type Authorization, State } from "@authorization-service/client";
import { Code, ConnectError } from "@connectrpc/connect";
import { lazy, Suspense, useState } from "react";
import { useCaller } from "../caller.ts";
import { may } from "../directory/rights.ts";
import { announce } from "../parts/announcements.tsx";
import { settings } from "../settings.ts";
import { batchWords, conflictWords, assignmentChangeWords as words } from "../words/assignment-changes.ts";
import { undoWords } from "../words/undo.ts";
import { assignmentName } from "./assignment-name.ts";
import { isDone, type SimpleChange } from "./batch-change.ts";
import { messageOf, type Said } from "./batch-outcome.ts";
import { useOneChange } from "./use-one-change.ts";

const EditRolesDialog = lazy(async () => ({ default: (await import("./edit-roles-dialog.tsx")).EditRolesDialog }));
const BatchDialog = lazy(async () => ({ default: (await import("./batch-dialog.tsx")).BatchDialog }));
const ConfirmDialog = lazy(async () => ({ default: (await import("./confirm-dialog.tsx")).ConfirmDialog }));
const ConflictDialog = lazy(async () => ({ default: (await import("./conflict-dialog.tsx")).ConflictDialog }));

/**
 * What was shown when the dialog was opened. The page may know a newer state by now, but the person has not decided on
 * that.
 */
type Opened = {
  readonly dialog: "roles" | "set-end" | "delete" | "activate" | "deactivate";
  readonly shown: Authorization;
};

/** Someone else was faster: what the change was meant for, and what it is now, if it is there. */
type Conflict = {
  readonly change: SimpleChange;
  readonly shown: Authorization;
  readonly now: Authorization | undefined;
  readonly reason: string;
};

type Props = { authorization: Authorization; onGone: () => void };

/** The actions that the caller may take on an assignment. Empty for callers who may only look. */
export function AssignmentActions({ authorization, onGone }: Props) {
  const caller = useCaller();
  const [opened, setOpened] = useState<Opened>();
  const [conflict, setConflict] = useState<Conflict>();
  const { isRunning, start } = useOneChange({
    says: ({ kind }, row) => saidOf(kind as SimpleChange, row),
    onDone(_, { change }) {
      leaveAll();
      if (change.kind === "delete") onGone();
    },
    onProblem(problem, run) {
      const change = run.change.kind as SimpleChange;
      const shown = run.changed[0]?.row ?? authorization;
      if (problem.case !== "changed") announce(messageOf(run, undefined, saidOf(change, shown)));
      // Who was signed out has to decide again.
      if (ConnectError.from(run.error).code !== Code.Unauthenticated) leaveAll();
      if (problem.case === "changed") setConflict({ change, shown, now: problem.now, reason: run.reason });
    },
  });
  const mayWrite = may(caller, "user.grant.write", authorization);
  const mayDelete = may(caller, "user.grant.delete", authorization);
  const turn = authorization.state === State.ACTIVE ? "deactivate" : "activate";
  const close = () => setOpened(undefined);
  const leaveAll = () => {
    close();
    setConflict(undefined);
  };
  /** Someone else has done it already. */
  const isDoneAlready = conflict?.now !== undefined && isDone({ kind: conflict.change }, conflict.now);
  /** Undone as quickly as it is done, so it is confirmed only where it needs a reason. */
  const turnState = () => {
    if (settings.isReasonRequired) setOpened({ dialog: turn, shown: authorization });
    else void start({ kind: turn }, authorization, "");
  };
  const opens = (dialog: Opened["dialog"], label: string) => (
    <button
      type="button"
      className={dialog === "delete" ? "danger" : undefined}
      onClick={() => setOpened({ dialog, shown: authorization })}
    >
      {label}
    </button>
  );
  const leave = () => {
    close();
    onGone();
  };

  return (
    <>
      {(mayWrite || mayDelete) && (
        <div className="line">
          {mayWrite && (
            <>
              {opens("roles", words.edit)}
              {opens("set-end", batchWords.labels["set-end"])}
              <button type="button" aria-disabled={isRunning} onClick={() => turnState()}>
                {words.labels[turn]}
              </button>
            </>
          )}
          {mayDelete && opens("delete", words.labels.delete)}
        </div>
      )}
      <Suspense>
        {opened?.dialog === "roles" && <EditRolesDialog shown={opened.shown} onGone={leave} onClose={close} />}
        {opened?.dialog === "set-end" && <BatchDialog kind="set-end" rows={[opened.shown]} onClose={close} />}
        {opened && opened.dialog !== "roles" && opened.dialog !== "set-end" && (
          <ConfirmDialog
            change={opened.dialog}
            shown={opened.shown}
            isBusy={isRunning}
            onConfirm={(reason) => void start({ kind: opened.dialog as SimpleChange }, opened.shown, reason)}
            onClose={close}
          />
        )}
        {conflict && (
          <ConflictDialog
            shown={conflict.shown}
            now={conflict.now}
            says={isDoneAlready ? conflictWords.already(words.pastTense[conflict.change]) : undefined}
            goOn={
              conflict.now && !isDoneAlready
                ? {
                    label: conflictWords.allTheSame(words.labels[conflict.change]),
                    isReady: !isRunning,
                    isDangerous: conflict.change === "delete",
                    run: () => conflict.now && void start({ kind: conflict.change }, conflict.now, conflict.reason),
                  }
                : undefined
            }
            isBusy={isRunning}
            onClose={() => {
              leaveAll();
              if (conflict.now === undefined) onGone();
            }}
          />
        )}
      </Suspense>
    </>
  );
}

function saidOf(change: SimpleChange, row: Authorization): Said {
  const name = assignmentName(row);
  const verb = words.pastTense[change];
  const undone =
    change === "delete"
      ? undoWords.isBack(name)
      : undoWords.hasState(name, words.pastTense[change === "activate" ? "deactivate" : "activate"]);
  return { name, verb, what: words.isNow(name, verb), undone: undoWords.done(undone) };
}
