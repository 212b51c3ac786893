import type { Authorization } from "@authorization-service/client";
import { assignmentName, placeName, userName } from "./assignment-name.ts";
import { ChangedMeanwhile } from "./changed-meanwhile.tsx";
import { DialogFrame } from "./dialog-frame.tsx";
import { EditedRolesForm } from "./edited-roles-form.tsx";
import { unsavedText } from "./role-difference.ts";
import { useEditedRoles } from "./use-edited-roles.ts";

type Props = { shown: Authorization; onGone: () => void; onClose: () => void };

/** Edits the roles of an assignment: shows the difference, and saves it unless someone else was faster. */
export function EditRolesDialog({ shown, onGone, onClose }: Props) {
  const edited = useEditedRoles(shown, onClose);
  const { problem, isRunning, isSame } = edited;

  if (problem?.case === "changed") {
    const { now } = problem.latest;
    return (
      <DialogFrame
        title={now ? "Somebody else was faster" : "The assignment is gone"}
        onClose={now ? onClose : onGone}
        closeLabel={now ? "Leave it as it is" : "Close"}
        actions={
          now && (
            <button type="button" className="primary" onClick={() => edited.startFrom(now)}>
              Go on from what it is now
            </button>
          )
        }
      >
        <p>{assignmentName(shown)}</p>
        <ChangedMeanwhile shown={edited.base} latest={problem.latest} />
        {now && <p>{unsavedText(now, edited.difference, edited.name)}</p>}
      </DialogFrame>
    );
  }
  return (
    <DialogFrame
      title={`Roles of ${userName(shown)}`}
      isBusy={isRunning}
      onClose={onClose}
      actions={
        <button
          type="button"
          className="primary"
          aria-disabled={isRunning || isSame}
          onClick={() => !isSame && void edited.save()}
        >
          {isRunning ? "Saving…" : "Save"}
        </button>
      }
    >
      <p className="muted">{placeName(shown)}</p>
      <EditedRolesForm edited={edited} />
    </DialogFrame>
  );
}
