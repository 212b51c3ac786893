import "./directory-changes.css";
import { type ReactNode, useId, useState } from "react";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { announce } from "../parts/announcements.tsx";
import { changeWords as words } from "../words/directory-changes.ts";
import { ChangeFailure } from "./change-failure.tsx";
import { TextField } from "./text-field.tsx";
import { type Change, useChange } from "./use-change.ts";

type Props = {
  title: string;
  /** The verb on the button. */
  verb: string;
  isDangerous?: boolean;
  /** Undefined until everything is filled in. */
  changes: readonly Change[] | undefined;
  /** What is announced afterwards. */
  done: string;
  onDone?: () => void;
  onClose: () => void;
  /** The fields, or what will happen. */
  children: ReactNode;
};

/** A dialog that changes the directory. It stays open until the change is made, and shows why it was refused. */
export function ChangeDialog({ title, verb, isDangerous, changes, done, onDone, onClose, children }: Props) {
  const form = useId();
  const [reason, setReason] = useState("");
  const { isRunning, failure, change } = useChange();
  const isReady = changes !== undefined && !isRunning;

  async function submit() {
    if (changes === undefined || isRunning) return;
    await change(changes, reason, () => {
      announce({ text: done });
      onClose();
      onDone?.();
    });
  }

  return (
    <DialogFrame
      title={title}
      isBusy={isRunning}
      onClose={onClose}
      actions={
        <button
          {...(isDangerous ? { type: "button", onClick: () => void submit() } : { type: "submit", form })}
          className={isDangerous ? "danger" : "primary"}
          aria-disabled={!isReady}
        >
          {isRunning ? words.running : verb}
        </button>
      }
    >
      <form
        id={form}
        className="change-form"
        onSubmit={(event) => {
          event.preventDefault();
          // The first field has the focus, so an early key press must not remove anything.
          if (!isDangerous) void submit();
        }}
      >
        {children}
        <TextField label={words.reason} value={reason} onChange={setReason} longest={500} />
        <ChangeFailure failure={failure} uncertain={words.uncertain} />
      </form>
    </DialogFrame>
  );
}
