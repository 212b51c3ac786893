import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useBlocker } from "@tanstack/react-router";
import { DialogBody } from "../changes/dialog-body.tsx";
import { useViewHost } from "../parts/kept-view.tsx";
import { addPeopleWords } from "../words/add-people.ts";

const words = addPeopleWords.leaving;

type Props = {
  hasList: boolean;
  title?: string;
  advice?: string;
  /** The parts of the address that can change without the loss of the list. */
  keeps?: readonly string[];
};

/** Asks before another page takes the place of a list that is not added yet. A tab that is closed asks in the browser's words. */
export function LeaveQuestion({ hasList, title = words.title, advice = words.advice, keeps = keepsList }: Props) {
  const host = useViewHost();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => placeOf(current, keeps) !== placeOf(next, keeps),
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
            <AlertDialog.Description>{advice}</AlertDialog.Description>
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

const keepsList = ["organization"];

/** Another part of the same page is no other page, nor is one that keeps the list. */
function placeOf({ pathname, search }: { pathname: string; search: object }, keeps: readonly string[]): string {
  return JSON.stringify([pathname, Object.entries(search).filter(([name]) => !keeps.includes(name))]);
}
