import { DirectoryService } from "@authorization-service/client/directory";
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { type ReactNode, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { ChangeFailure } from "../directory-changes/change-failure.tsx";
import { useRequest } from "../directory-changes/use-request.ts";
import { useSettled } from "../pickers/found.ts";
import { passOver } from "../undo/undoables.ts";
import { addPeopleWords as words } from "../words/add-people.ts";
import { changeOf, useCheck } from "./check.ts";
import { type Column, type Person, readPeople } from "./lines.ts";
import { type List, ListForm } from "./list-form.tsx";

type Props = {
  organizationId: string;
  list: List<Column>;
  onList: (list: List<Column>) => void;
  reason: { readonly text: string; readonly isMissing: boolean };
  /** Called with the people that were added. */
  onDone: (people: readonly Person[]) => void;
  children?: ReactNode;
};

/** A list of people, typed or pasted, with a preview that shows what each line becomes. */
export function PeopleForm({ organizationId, list, onList, reason, onDone, children }: Props) {
  const client = createClient(DirectoryService, useTransport());
  const { isRunning, failure, request } = useRequest();
  const settled = useSettled(list.text);
  // The id of a line stays the same while the list is edited.
  const [ids] = useState(() => new Map<number, string>());
  const people = useMemo(
    () => readPeople(settled, (line) => idOf(ids, line), list.columns),
    [settled, ids, list.columns],
  );
  const check = useCheck(organizationId, people.lines);
  const isCurrent = settled === list.text && check.data !== undefined && !check.isPlaceholderData;
  const problems = isCurrent ? check.data.problems : undefined;
  const batches = isCurrent ? check.data.batches : [];
  const count = batches.reduce((sum, { lines }) => sum + lines.length, 0);

  /**
   * Each request adds all of its people or none. The ids stay the same, so after a failure it is safe to try again:
   * people who are there already are not added twice.
   */
  async function add() {
    for (const { lines, version } of batches) {
      const changes = lines.map((line) => changeOf(line, organizationId));
      await client.applyChanges({ changes, reason: reason.text, ifVersion: version }).catch((error) => {
        // Who is there may be different now.
        void check.refetch();
        throw error;
      });
      passOver();
    }
    // At once, so nothing asks whether to lose the list.
    flushSync(() => onList({ ...list, text: "" }));
    onDone(batches.flatMap(({ lines }) => lines.map(({ person }) => person)));
  }

  return (
    <ListForm
      says={words}
      list={list}
      onList={onList}
      columns={people.columns}
      heads={[words.columns.displayName, words.columns.loginName]}
      lines={people.lines.map(({ number, person, hasOwnId, problem = problems?.get(number) }) => ({
        ...{ number, isBad: problem !== undefined, cells: [person.displayName, person.preferredLoginName] },
        result: problem ?? (problems && words.readyAs(hasOwnId)),
      }))}
      check={check}
      send={{
        label: isRunning ? words.adding : words.add(count),
        isReady: count > 0 && !reason.isMissing && !isRunning,
        run: () => void request(add),
      }}
    >
      <ChangeFailure failure={failure} uncertain={words.uncertain} />
      {children}
    </ListForm>
  );
}

function idOf(ids: Map<number, string>, line: number): string {
  const id = ids.get(line) ?? crypto.randomUUID();
  ids.set(line, id);
  return id;
}
