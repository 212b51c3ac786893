import type { Authorization } from "@authorization-service/client";
import { assignmentChangeWords, conflictWords, rolesWords as words } from "../words/assignment-changes.ts";
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
  const { problem, isRunning, isReady } = edited;

  if (problem?.case === "changed") {
    const { now } = problem.latest;
    return (
      <DialogFrame
        title={now ? conflictWords.faster : conflictWords.gone}
        onClose={now ? onClose : onGone}
        closeLabel={now ? conflictWords.leave : assignmentChangeWords.close}
        actions={
          now && (
            <button type="button" className="primary" onClick={() => edited.startFrom(now)}>
              {conflictWords.goOn}
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
      title={words.title(userName(shown))}
      isBusy={isRunning}
      onClose={onClose}
      actions={
        <button
          type="button"
          className="primary"
          aria-disabled={!isReady}
          onClick={() => isReady && void edited.save()}
        >
          {isRunning ? words.isSaving : words.save}
        </button>
      }
    >
      <p className="muted">{placeName(shown)}</p>
      <EditedRolesForm edited={edited} />
    </DialogFrame>
  );
}
