import "../changes/changes.css";
import "../directory-changes/directory-changes.css";
import "./add-people.css";
import { type ReactNode, useId, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { ChangeFailure } from "../directory-changes/change-failure.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { useSettled } from "../pickers/found.ts";
import { addPeopleWords as words } from "../words/add-people.ts";
import { ColumnChoices } from "./column-choices.tsx";
import type { Column } from "./columns.ts";
import { LeaveQuestion } from "./leave-question.tsx";
import { type Person, readPeople } from "./lines.ts";
import { Preview } from "./preview.tsx";
import { useAdding } from "./use-adding.ts";
import { useCheck } from "./use-check.ts";

type Props = {
  organizationId: string;
  reason: { readonly text: string; readonly isMissing: boolean };
  /** Called with the people that were added. */
  onDone: (people: readonly Person[]) => void;
  children?: ReactNode;
};

/** A list of people, typed or pasted, with a preview that shows what each line becomes. */
export function PeopleForm({ organizationId, reason, onDone, children }: Props) {
  const field = useId();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<readonly Column[]>([]);
  const settled = useSettled(text);
  const newId = useIds();
  const people = useMemo(() => readPeople(settled, newId, chosen), [settled, newId, chosen]);
  const check = useCheck(organizationId, people.lines);
  const adding = useAdding(organizationId, {
    onDone: (people) => {
      // At once, so nothing asks whether to lose the list.
      flushSync(() => setText(""));
      onDone(people);
    },
    onFailed: () => void check.refetch(),
  });
  const isCurrent = settled === text && check.data !== undefined && !check.isPlaceholderData;
  const batches = isCurrent ? check.data.batches : [];
  const count = batches.reduce((sum, { lines }) => sum + lines.length, 0);
  const isReady = count > 0 && !reason.isMissing && !adding.isRunning;

  return (
    <form
      className="people-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void adding.add(batches, reason.text);
      }}
    >
      <div className="text-field">
        <label htmlFor={field}>{words.list}</label>
        <textarea
          id={field}
          // biome-ignore lint/a11y/noAutofocus: it is what the person came for.
          autoFocus
          rows={8}
          value={text}
          placeholder={words.example}
          spellCheck={false}
          aria-describedby={`${field}-hint`}
          onChange={({ target }) => {
            setText(target.value);
            if (target.value === "") setChosen([]);
          }}
        />
        <span id={`${field}-hint`} className="hint">
          {words.hint}
        </span>
      </div>
      {people.columns.length > 1 && (
        <ColumnChoices
          columns={people.columns}
          onChange={(at, column) => setChosen(people.columns.map((one, other) => (other === at ? column : one)))}
        />
      )}
      <Preview lines={people.lines} problems={isCurrent ? check.data.problems : undefined} />
      {check.error && <FailureNotice error={check.error} onRetry={() => void check.refetch()} />}
      <ChangeFailure failure={adding.failure} uncertain={words.uncertain} />
      {children}
      <div className="page-actions">
        <button type="submit" className="primary" aria-disabled={!isReady}>
          {adding.isRunning ? words.adding(adding.done, count) : words.add(count)}
        </button>
      </div>
      <LeaveQuestion hasList={text.trim() !== ""} />
    </form>
  );
}

/** An id for each line, which stays the same while the list is edited. */
function useIds(): (line: number) => string {
  const [newId] = useState(() => {
    const ids = new Map<number, string>();
    return (line: number) => {
      const id = ids.get(line) ?? crypto.randomUUID();
      ids.set(line, id);
      return id;
    };
  });
  return newId;
}
