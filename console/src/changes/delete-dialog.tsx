import "./changes.css";
import type { Authorization } from "@authorization-service/client";
import { AlertDialog } from "@base-ui/react/alert-dialog";
import { may, useCaller } from "../caller.ts";
import { useViewHost } from "../parts/kept-view.tsx";
import { RoleChips } from "../parts/role-chips.tsx";
import { undoWords } from "../words/undo.ts";
import { userName } from "./assignment-name.ts";
import { DialogBody } from "./dialog-body.tsx";

type Props = { shown: Authorization; isBusy: boolean; onDelete: () => void; onClose: () => void };

/** How many roles to show, enough to recognize the assignment. */
const mostRoles = 20;

/** Says what will be deleted, and asks for confirmation. */
export function DeleteDialog({ shown, isBusy, onDelete, onClose }: Props) {
  const host = useViewHost();
  const mayCreate = may(useCaller(), "user.grant.write", shown);
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && !isBusy && onClose()}>
      <AlertDialog.Portal container={host}>
        <AlertDialog.Backdrop className="dialog-backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title className="dialog-title">Delete this assignment?</AlertDialog.Title>
          <DialogBody>
            <AlertDialog.Description>
              The user loses all its roles at once. {mayCreate ? undoWords.newId : undoWords.final} Deactivating keeps
              the roles for later.
            </AlertDialog.Description>
            <dl className="facts">
              <dt>User</dt>
              <dd>
                {userName(shown)} <span className="muted">{shown.user?.preferredLoginName}</span>
              </dd>
              <dt>Project</dt>
              <dd>{shown.project?.name || shown.project?.id}</dd>
              <dt>Organization</dt>
              <dd>{shown.organization?.name || shown.organization?.id}</dd>
              <dt>Roles</dt>
              <dd>
                <RoleChips roles={shown.roles} most={mostRoles} />
              </dd>
            </dl>
          </DialogBody>
          <div className="dialog-actions">
            <AlertDialog.Close aria-disabled={isBusy}>Keep it</AlertDialog.Close>
            <button type="button" className="danger" aria-disabled={isBusy} onClick={onDelete}>
              {isBusy ? "Deleting…" : "Delete"}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
