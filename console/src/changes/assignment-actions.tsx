import "./changes.css";
import { type Authorization, State } from "@authorization-service/client";
import { lazy, Suspense, useState } from "react";
import { may, useCaller } from "../caller.ts";
import { labels } from "./simple-change.ts";
import { useSimpleChange } from "./use-simple-change.ts";

const EditRolesDialog = lazy(async () => ({ default: (await import("./edit-roles-dialog.tsx")).EditRolesDialog }));
const DeleteDialog = lazy(async () => ({ default: (await import("./delete-dialog.tsx")).DeleteDialog }));
const ConflictDialog = lazy(async () => ({ default: (await import("./conflict-dialog.tsx")).ConflictDialog }));

/**
 * What was shown when the dialog was opened. The page may know a newer state by now, but the person has not decided on
 * that.
 */
type Opened = { readonly dialog: "roles" | "delete"; readonly shown: Authorization };

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
  const leave = () => {
    close();
    onGone();
  };

  return (
    <>
      {(mayWrite || mayDelete) && (
        <div className="assignment-actions">
          {mayWrite && (
            <>
              <button type="button" onClick={() => setOpened({ dialog: "roles", shown: authorization })}>
                Edit roles
              </button>
              <button type="button" aria-disabled={isRunning} onClick={() => void change(turn, authorization)}>
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
              Delete
            </button>
          )}
        </div>
      )}
      <Suspense>
        {opened?.dialog === "roles" && <EditRolesDialog shown={opened.shown} onGone={leave} onClose={close} />}
        {opened?.dialog === "delete" && (
          <DeleteDialog
            shown={opened.shown}
            isBusy={isRunning}
            onDelete={() => void change("delete", opened.shown).then((isDone) => isDone && close())}
            onClose={close}
          />
        )}
        {conflict && (
          <ConflictDialog
            conflict={conflict}
            isBusy={isRunning}
            onDecide={(now) => void change(conflict.change, now)}
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
