import { AlertDialog } from "@base-ui/react/alert-dialog";
import { type ShouldBlockFn, useBlocker } from "@tanstack/react-router";
import { DialogBody } from "../changes/dialog-body.tsx";
import { useViewHost } from "../parts/kept-view.tsx";
import { addPeopleWords } from "../words/add-people.ts";

const words = addPeopleWords.leaving;

/** Asks before another page takes the place of a list that is not added yet. A tab that is closed asks in the browser's words. */
export function LeaveQuestion({ hasList, title = words.title }: { hasList: boolean; title?: string }) {
  const host = useViewHost();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: isOther,
    enableBeforeUnload: hasList,
    disabled: !hasList,
    withResolver: true,
  });
  return (
    <AlertDialog.Root open={status === "blocked"} onOpenChange={(open) => !open && reset?.()}>
      <AlertDialog.Portal container={host}>
        <AlertDialog.Backdrop className="dialog-backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title className="dialog-title">{title}</AlertDialog.Title>
          <DialogBody>
            <AlertDialog.Description>{words.advice}</AlertDialog.Description>
          </DialogBody>
          <div className="dialog-actions">
            <AlertDialog.Close>{words.stay}</AlertDialog.Close>
            <button type="button" className="danger" onClick={proceed}>
              {words.leave}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** Another part of the same page is no other page, nor is the same page for another organization, which keeps the list. */
const isOther = ({ current, next }: Parameters<ShouldBlockFn>[0]): boolean =>
  current.pathname !== next.pathname || withoutOrganization(current) !== withoutOrganization(next);

function withoutOrganization({ search }: { search: object }): string {
  return JSON.stringify({ ...search, organization: undefined });
}
