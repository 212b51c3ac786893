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
  /** Undone as quickly as it is done, so it is confirmed only where it needs a reason. */
  const turnState = () => {
    if (settings.isReasonRequired) setOpened({ dialog: turn, shown: authorization });
    else void start({ kind: turn }, authorization, "");
  };
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
              <button type="button" onClick={() => setOpened({ dialog: "roles", shown: authorization })}>
                {words.edit}
              </button>
              <button type="button" onClick={() => setOpened({ dialog: "set-end", shown: authorization })}>
                {batchWords.labels["set-end"]}
              </button>
              <button type="button" aria-disabled={isRunning} onClick={() => turnState()}>
                {words.labels[turn]}
              </button>
            </>
          )}
          {mayDelete && (
            <button
              type="button"
              className="danger"
              onClick={() => setOpened({ dialog: "delete", shown: authorization })}
            >
              {words.labels.delete}
            </button>
          )}
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
          <Conflicted
            conflict={conflict}
            isBusy={isRunning}
            onDecide={(now) => void start({ kind: conflict.change }, now, conflict.reason)}
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

type ConflictedProps = {
  conflict: Conflict;
  isBusy: boolean;
  /** Called if the person still wants the change, based on the current state. */
  onDecide: (now: Authorization) => void;
  onClose: () => void;
};

function Conflicted({ conflict: { change, shown, now }, isBusy, onDecide, onClose }: ConflictedProps) {
  const isLeft = now !== undefined && !isDone({ kind: change }, now);
  return (
    <ConflictDialog
      shown={shown}
      now={now}
      says={now && !isLeft ? conflictWords.already(words.pastTense[change]) : undefined}
      goOn={
        isLeft
          ? {
              label: conflictWords.allTheSame(words.labels[change]),
              isReady: !isBusy,
              isDangerous: change === "delete",
              run: () => onDecide(now),
            }
          : undefined
      }
      isBusy={isBusy}
      onClose={onClose}
    />
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
