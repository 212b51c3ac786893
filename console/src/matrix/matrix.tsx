import "../assignments/assignments.css";
import "../changes/changes.css";
import "./matrix.css";
import type { Authorization, AuthorizationsSearchFilter } from "@authorization-service/client";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { useLeaveQuestion } from "../add-people/use-leave-question.ts";
import { filtersOf, sorts, withFilters } from "../assignments/search.ts";
import { mostSelected, useAllMatching } from "../changes/all-matching.ts";
import { placeName, userName } from "../changes/assignment-name.ts";
import { BatchDialog } from "../changes/batch-dialog.tsx";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { isNew } from "../changes/new-row.ts";
import { choicesOf, placeOf, unlistedOf, useOfferedRoles } from "../changes/offered-roles.ts";
import { RoleBoxes } from "../changes/role-boxes.tsx";
import { useRowsNow } from "../changes/rows-now.ts";
import { Answered, Nothing } from "../directory/answered.tsx";
import { ExportButton } from "../export/export-button.tsx";
import { FilterBar } from "../filters/filter-bar.tsx";
import { hasAll, wordsIn } from "../search/hits.ts";
import { rolesWords } from "../words/assignment-changes.ts";
import { matrixWords as words } from "../words/matrix.ts";
import {
  assignmentAt,
  type Column,
  type Edits,
  leftOf,
  type MatrixSearch,
  matrixFile,
  type Row,
  rowsOf,
  wantedAt,
  withEdit,
} from "./cells.ts";
import { MatrixTable } from "./matrix-table.tsx";

type Props = {
  search: MatrixSearch;
  /** What all of its assignments are in. */
  within: AuthorizationsSearchFilter;
  columns: readonly Column[];
  /** How many columns can't be shown at all. */
  notListed: number;
};

/** How many columns are shown at once. Others are found by a search. */
const mostColumns = 40;
const noEdits: Edits = new Map();

/** The rows with their filters, and the changes of cells, which are sent together. */
export function Matrix({ search, within, columns, notListed }: Props) {
  const navigate = useNavigate({ from: "/matrix" });
  const isOfRoles = search.project !== undefined;
  const filters = useMemo(() => filtersOf(search), [search]);
  const query = useAllMatching({
    filters: [within, ...filters],
    sortingColumn: sorts[search.sort ?? "user"],
    asc: search.asc ?? false,
  });
  const [edits, setEdits] = useState(noEdits);
  useLeaveQuestion(edits.size > 0, words.leave);
  const [text, setText] = useState("");
  const [opened, setOpened] = useState<Authorization>();
  const [isReviewed, setReviewed] = useState(false);
  const edited = [...edits.values()].map(({ row }) => row);
  // What the filters hide is there all the same.
  const there = useRowsNow(isReviewed ? edited.filter(isNew) : []);
  const columnSearch = isOfRoles ? words.findRoles : words.findProjects;

  const rows = useMemo(() => rowsOf(query.data ?? []), [query.data]);
  const found = useMemo(
    () => columns.filter(({ name, id }) => hasAll(`${name} ${id}`, wordsIn(text))),
    [columns, text],
  );
  const shown = found.slice(0, mostColumns);

  const press = useCallback(
    (row: Row, column: Column) => {
      const assignment = assignmentAt(row, column.project);
      if (!isOfRoles) return setOpened(assignment);
      setEdits((current) => {
        const wanted = new Set(wantedAt(current, assignment));
        if (!wanted.delete(column.id)) wanted.add(column.id);
        return withEdit(current, assignment, wanted);
      });
    },
    [isOfRoles],
  );

  return (
    <>
      <section className="line matrix-tools" aria-label={words.tools}>
        <FilterBar
          filters={filters}
          onChange={(changed, how) => void navigate({ search: withFilters(search, changed), ...how })}
        />
        <input
          type="search"
          aria-label={columnSearch}
          placeholder={columnSearch}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <ExportButton exported={() => matrixFile(rows, found, isOfRoles, edits)} />
      </section>
      <Answered query={query} shape={{ rows: 12, columns: 8 }}>
        {({ length }) => (
          <>
            <p className="muted" role="status">
              {words.shown(rows.length, shown.length, found.length, isOfRoles)}
              {length >= mostSelected && ` ${words.onlyFirst(mostSelected)}`}
              {notListed > 0 && ` ${words.notListed(notListed)}`}
            </p>
            {rows.length === 0 ? (
              <Nothing>{words.none}</Nothing>
            ) : (
              <MatrixTable
                label={isOfRoles ? words.peopleAndRoles : words.peopleAndProjects}
                rows={rows}
                columns={shown}
                isOfRoles={isOfRoles}
                edits={edits}
                search={search}
                onPress={press}
                onSearch={(next) => void navigate({ search: next })}
              />
            )}
          </>
        )}
      </Answered>
      {edits.size > 0 && (
        <section className="selection-bar matrix-changes" aria-label={words.changes}>
          <span role="status">{words.changed(edits.size)}</span>
          <button type="button" className="primary" onClick={() => setReviewed(true)}>
            {words.review}
          </button>
          <button type="button" onClick={() => setEdits(noEdits)}>
            {words.discard}
          </button>
        </section>
      )}
      {opened && (
        <CellDialog
          assignment={opened}
          wanted={wantedAt(edits, opened)}
          onDone={(wanted) => {
            setEdits(withEdit(edits, opened, wanted));
            setOpened(undefined);
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
      {isReviewed && !there.isLoading && (
        <BatchDialog
          rows={edited.map((row) => there.data?.get(row.id) ?? row)}
          change={{ kind: "give", wishes: new Map([...edits].map(([slot, { difference }]) => [slot, difference])) }}
          onClose={(left) => {
            setReviewed(false);
            setEdits(leftOf(edits, left));
          }}
        />
      )}
    </>
  );
}

type CellProps = {
  assignment: Authorization;
  wanted: ReadonlySet<string>;
  onDone: (wanted: ReadonlySet<string>) => void;
  onClose: () => void;
};

/** The roles of one cell. They are sent later, with those of other cells. */
function CellDialog({ assignment, wanted, onDone, onClose }: CellProps) {
  const [chosen, setChosen] = useState(wanted);
  const offered = useOfferedRoles(placeOf(assignment));
  return (
    <DialogFrame
      title={rolesWords.title(userName(assignment))}
      onClose={onClose}
      send={{ label: words.take, run: () => onDone(chosen) }}
    >
      <p className="muted">{placeName(assignment)}</p>
      <Answered query={offered}>
        {({ project }) => (
          <RoleBoxes
            legend={rolesWords.legend}
            choices={choicesOf(project, assignment.roles)}
            chosen={chosen}
            onChange={setChosen}
            unlisted={unlistedOf(project)}
          />
        )}
      </Answered>
    </DialogFrame>
  );
}
