import "./changes.css";
import type { Authorization } from "@authorization-service/client";
import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useCaller } from "../caller.ts";
import { may } from "../directory/rights.ts";
import { useViewHost } from "../parts/kept-view.tsx";
import { RoleChips } from "../parts/role-chips.tsx";
import { useReason } from "../reason/use-reason.tsx";
import { assignmentChangeWords, deleteWords as words } from "../words/assignment-changes.ts";
import { undoWords } from "../words/undo.ts";
import { userName } from "./assignment-name.ts";
import { DialogBody } from "./dialog-body.tsx";

type Props = { shown: Authorization; isBusy: boolean; onDelete: (reason: string) => void; onClose: () => void };

/** How many roles to show, enough to recognize the assignment. */
const mostRoles = 20;

/** Says what will be deleted, and asks for confirmation. */
export function DeleteDialog({ shown, isBusy, onDelete, onClose }: Props) {
  const host = useViewHost();
  const reason = useReason();
  const isOff = isBusy || reason.isMissing;
  const mayCreate = may(useCaller(), "user.grant.write", shown);
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && !isBusy && onClose()}>
      <AlertDialog.Portal container={host}>
        <AlertDialog.Backdrop className="dialog-backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title className="dialog-title">{words.title}</AlertDialog.Title>
          <DialogBody>
            <AlertDialog.Description>
              {words.atOnce} {mayCreate ? undoWords.newId : undoWords.final} {words.orDeactivate}
            </AlertDialog.Description>
            <dl className="facts">
              <dt>{words.user}</dt>
              <dd>
                {userName(shown)} <span className="muted">{shown.user?.preferredLoginName}</span>
              </dd>
              <dt>{words.project}</dt>
              <dd>{shown.project?.name || shown.project?.id}</dd>
              <dt>{words.organization}</dt>
              <dd>{shown.organization?.name || shown.organization?.id}</dd>
              <dt>{words.roles}</dt>
              <dd>
                <RoleChips roles={shown.roles} most={mostRoles} />
              </dd>
            </dl>
            {reason.field}
          </DialogBody>
          <div className="dialog-actions">
            <AlertDialog.Close aria-disabled={isBusy}>{words.keep}</AlertDialog.Close>
            <button
              type="button"
              className="danger"
              aria-disabled={isOff}
              onClick={() => !isOff && onDelete(reason.text)}
            >
              {isBusy ? words.deleting : assignmentChangeWords.labels.delete}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
