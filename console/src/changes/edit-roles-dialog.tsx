import type { Authorization } from "@authorization-service/client";
import { rolesWords as words } from "../words/assignment-changes.ts";
import { placeName, userName } from "./assignment-name.ts";
import { RolesConflict } from "./conflict-dialog.tsx";
import { DialogFrame } from "./dialog-frame.tsx";
import { EditedRolesForm } from "./edited-roles-form.tsx";
import { useEditedRoles } from "./use-edited-roles.ts";

type Props = { shown: Authorization; onGone: () => void; onClose: () => void };

/** Edits the roles of an assignment: shows the difference, and saves it unless someone else was faster. */
export function EditRolesDialog({ shown, onGone, onClose }: Props) {
  const edited = useEditedRoles(shown, { onSaved: onClose });
  const { problem, isRunning, isReady, save } = edited;
  if (problem?.case === "changed") {
    return <RolesConflict edited={edited} now={problem.now} onGone={onGone} onClose={onClose} />;
  }
  return (
    <DialogFrame
      title={words.title(userName(shown))}
      isBusy={isRunning}
      onClose={onClose}
      send={{ label: isRunning ? words.isSaving : words.save, isReady, run: () => void save() }}
    >
      <p className="muted">{placeName(shown)}</p>
      <EditedRolesForm edited={edited} />
    </DialogFrame>
  );
}
