import "./changes.css";
import { type Authorization, State } from "@authorization-service/client";
import { lazy, Suspense, useState } from "react";
import { useCaller } from "../caller.ts";
import { may } from "../directory/rights.ts";
import { settings } from "../settings.ts";
import { batchWords, assignmentChangeWords as words } from "../words/assignment-changes.ts";
import { labels, type SimpleChange } from "./simple-change.ts";
import { useSimpleChange } from "./use-simple-change.ts";

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

type Props = { authorization: Authorization; onGone: () => void };

/** The actions that the caller may take on an assignment. Empty for callers who may only look. */
export function AssignmentActions({ authorization, onGone }: Props) {
  const caller = useCaller();
  const [opened, setOpened] = useState<Opened>();
  const { isRunning, conflict, forgetConflict, change } = useSimpleChange(onGone);
  const mayWrite = may(caller, "user.grant.write", authorization);
  const mayDelete = may(caller, "user.grant.delete", authorization);
  const turn = authorization.state === State.ACTIVE ? "deactivate" : "activate";
  const close = () => setOpened(undefined);
  const confirm = (wanted: SimpleChange, shown: Authorization, reason: string) =>
    void change(wanted, shown, reason).then((isDone) => isDone && close());
  /** Undone as quickly as it is done, so it is confirmed only where it needs a reason. */
  const turnState = () => {
    if (settings.isReasonRequired) setOpened({ dialog: turn, shown: authorization });
    else void change(turn, authorization, "");
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
                {labels[turn]}
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
            onConfirm={(reason) => confirm(opened.dialog as SimpleChange, opened.shown, reason)}
            onClose={close}
          />
        )}
        {conflict && (
          <ConflictDialog
            conflict={conflict}
            isBusy={isRunning}
            onDecide={(now) => void change(conflict.change, now, conflict.reason)}
            onClose={() => {
              forgetConflict();
              if (conflict.latest.now === undefined) onGone();
            }}
          />
        )}
      </Suspense>
    </>
  );
}
