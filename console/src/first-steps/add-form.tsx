import { type ReactNode, useState } from "react";
import { ChangeFailure } from "../directory-changes/change-failure.tsx";
import { ChangedMeanwhile } from "../directory-changes/changed-meanwhile.tsx";
import { TextField } from "../directory-changes/text-field.tsx";
import { type Change, useChange } from "../directory-changes/use-change.ts";
import { announce } from "../parts/announcements.tsx";
import { changeWords } from "../words/directory-changes.ts";
import { firstStepsWords as words } from "../words/first-steps.ts";

type Props = {
  label: string;
  hint?: string;
  longest?: number;
  /** The verb on the button. */
  verb: (text: string) => string;
  /** Undefined while the text can't be used. */
  changesOf: (text: string) => readonly Change[] | undefined;
  /** What is announced afterwards. */
  done: (text: string) => string;
  onDone: () => void;
  /** What else there is to say about the text. */
  children?: (text: string, onChange: (text: string) => void) => ReactNode;
};

/** One field whose text becomes something in the directory. */
export function AddForm({ label, hint, longest, verb, changesOf, done, onDone, children }: Props) {
  const [text, setText] = useState("");
  const { isRunning, failure, changedMeanwhile, change } = useChange();
  const changes = changesOf(text.trim());

  async function submit() {
    if (changes === undefined || isRunning) return;
    await change(changes, words.reason, () => {
      announce({ text: done(text.trim()) });
      onDone();
    });
  }

  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField
        label={label}
        value={text}
        onChange={setText}
        isRequired
        isFirst
        {...(hint !== undefined && { hint })}
        {...(longest !== undefined && { longest })}
      />
      {children?.(text.trim(), setText)}
      {changedMeanwhile.length > 0 && <ChangedMeanwhile outcomes={changedMeanwhile} />}
      <ChangeFailure failure={failure} uncertain={changeWords.uncertain} />
      <div className="page-actions">
        <button type="submit" className="primary" aria-disabled={changes === undefined || isRunning}>
          {isRunning ? changeWords.running : verb(text.trim())}
        </button>
      </div>
    </form>
  );
}
