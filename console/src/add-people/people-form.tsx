import "../changes/changes.css";
import "../directory-changes/directory-changes.css";
import "./add-people.css";
import { type ReactNode, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { ChangeFailure } from "../directory-changes/change-failure.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { useSettled } from "../pickers/found.ts";
import { addPeopleWords as words } from "../words/add-people.ts";
import { LeaveQuestion } from "./leave-question.tsx";
import { type Column, type Person, readPeople } from "./lines.ts";
import { ListField } from "./list-field.tsx";
import { Preview } from "./preview.tsx";
import { useAdding } from "./use-adding.ts";
import { useCheck } from "./use-check.ts";

/** A list as it was typed or pasted, and what the reader says its columns are. */
export function useList() {
  return useState({ text: "", columns: [] as readonly Column[] });
}

type Props = {
  organizationId: string;
  list: ReturnType<typeof useList>;
  reason: { readonly text: string; readonly isMissing: boolean };
  /** Called with the people that were added. */
  onDone: (people: readonly Person[]) => void;
  children?: ReactNode;
};

/** A list of people, typed or pasted, with a preview that shows what each line becomes. */
export function PeopleForm({ organizationId, list: [{ text, columns }, setList], reason, onDone, children }: Props) {
  const settled = useSettled(text);
  const newId = useIds();
  const people = useMemo(() => readPeople(settled, newId, columns), [settled, newId, columns]);
  const check = useCheck(organizationId, people.lines);
  const adding = useAdding(organizationId, {
    onDone: (people) => {
      // At once, so nothing asks whether to lose the list.
      flushSync(() => setList({ text: "", columns }));
      onDone(people);
    },
    onFailed: () => void check.refetch(),
  });
  const isCurrent = settled === text && check.data !== undefined && !check.isPlaceholderData;
  const problems = isCurrent ? check.data.problems : undefined;
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
      <ListField
        label={words.list}
        hint={words.hint}
        example={words.example}
        text={text}
        columns={people.columns}
        names={words.columns}
        onText={(text) => setList((list) => ({ ...list, text }))}
        onColumns={(columns) => setList((list) => ({ ...list, columns }))}
      />
      <Preview
        says={words}
        heads={[words.columns.displayName, words.columns.loginName]}
        lines={people.lines.map(({ number, person, hasOwnId, problem = problems?.get(number) }) => ({
          ...{ number, isBad: problem !== undefined, cells: [person.displayName, person.preferredLoginName] },
          result: problem ?? (problems && words.readyAs(hasOwnId)),
        }))}
      />
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
