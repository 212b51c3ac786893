import "./changes.css";
import { type Authorization, State } from "@authorization-service/client";
import { useState } from "react";
import { useCaller } from "../caller.ts";
import { may } from "../directory/rights.ts";
import { settings } from "../settings.ts";
import { batchWords, assignmentChangeWords as words } from "../words/assignment-changes.ts";
import { BatchDialog } from "./batch-dialog.tsx";
import { EditRoles } from "./edit-roles.tsx";

/**
 * What was shown when the dialog was opened. The page may know a newer state by now, but the person has not decided on
 * that.
 */
type Opened = {
  readonly kind: "roles" | "set-end" | "activate" | "deactivate" | "delete";
  readonly shown: Authorization;
  readonly opener: HTMLElement;
};

type Props = { authorization: Authorization; onGone: () => void };

/** The actions that the caller may take on an assignment. Empty for callers who may only look. */
export function AssignmentActions({ authorization, onGone }: Props) {
  const caller = useCaller();
  const [opened, setOpened] = useState<Opened>();
  const mayWrite = may(caller, "user.grant.write", authorization);
  const turn = authorization.state === State.ACTIVE ? "deactivate" : "activate";
  const actions = [
    ...(mayWrite ? (["roles", "set-end", turn] as const) : []),
    ...(may(caller, "user.grant.delete", authorization) ? (["delete"] as const) : []),
  ];
  const close = () => setOpened(undefined);
  // Undone as quickly as it is done, so it is confirmed only where it needs a reason.
  const isDecided = (opened?.kind === "activate" || opened?.kind === "deactivate") && !settings.isReasonRequired;

  return (
    <>
      {actions.length > 0 && (
        <div className="line">
          {actions.map((kind) => (
            <button
              // It stays the same button, because it has the focus.
              key={kind === turn ? "turn" : kind}
              type="button"
              className={kind === "delete" ? "danger" : undefined}
              onClick={({ currentTarget }) =>
                setOpened(opened ?? { kind, shown: authorization, opener: currentTarget })
              }
            >
              {kind === "roles" ? words.edit : batchWords.labels[kind]}
            </button>
          ))}
        </div>
      )}
      {opened?.kind === "roles" && <EditRoles shown={opened.shown} opener={opened.opener} onClose={close} />}
      {opened && opened.kind !== "roles" && (
        <BatchDialog
          change={{ kind: opened.kind }}
          decided={isDecided ? "" : undefined}
          rows={[opened.shown]}
          onClose={(left, run) => {
            close();
            if (run && left.length === 0 && (opened.kind === "delete" || !run.undoable)) onGone();
          }}
        />
      )}
    </>
  );
}
