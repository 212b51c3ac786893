import "./directory-changes.css";
import type { ReactNode } from "react";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { announce } from "../parts/announcements.tsx";
import { useReason } from "../reason/use-reason.tsx";
import { passOver } from "../undo/undoables.ts";
import { changeWords as words } from "../words/directory-changes.ts";
import { ChangeFailure } from "./change-failure.tsx";
import { ChangedMeanwhile } from "./changed-meanwhile.tsx";
import { type Change, type Shown, useChange } from "./use-change.ts";

type Props = {
  title: string;
  /** The verb on the button. */
  verb: string;
  isDangerous?: boolean;
  /** Undefined until everything is filled in. */
  changes: readonly Change[] | undefined;
  /** What the dialog changes, as it was when it was opened. */
  shown?: Shown;
  /** If the changes should only create things: what to say if they exist already, and the verb to overwrite them. */
  ifExisting?: { readonly title: string; readonly advice: string; readonly verb: string };
  /** What is announced afterwards. */
  done: string;
  onDone?: () => void;
  onClose: () => void;
  /** The fields, or what will happen. */
  children: ReactNode;
};

/** A dialog that changes the directory. It stays open until the change is made, and shows why it was refused. */
export function ChangeDialog(props: Props) {
  const { title, verb, isDangerous, changes, shown, ifExisting, done, onDone, onClose, children } = props;
  const reason = useReason();
  const { isRunning, failure, changedMeanwhile, overwritten, change } = useChange(shown, ifExisting !== undefined);
  const existing = overwritten(changes);

  const submit = () =>
    change(changes ?? [], reason.text, () => {
      passOver();
      announce({ text: done });
      onClose();
      onDone?.();
    });

  return (
    <DialogFrame
      title={title}
      isBusy={isRunning}
      onClose={onClose}
      form={{}}
      send={{
        label: isRunning ? words.running : ((existing.length > 0 ? ifExisting?.verb : undefined) ?? verb),
        isReady: changes !== undefined && !reason.isMissing && !isRunning,
        isDangerous,
        run: () => void submit(),
      }}
    >
      {children}
      {reason.field}
      {existing.length > 0 && <ChangedMeanwhile outcomes={existing} {...ifExisting} />}
      {changedMeanwhile.length > 0 && <ChangedMeanwhile outcomes={changedMeanwhile} />}
      <ChangeFailure failure={failure} uncertain={words.uncertain} />
    </DialogFrame>
  );
}
