import "../assignments/assignments.css";
import "../changes/changes.css";
import "./matrix.css";
import type { AuthorizationsSearchFilter } from "@authorization-service/client";
import type { Organization, User } from "@authorization-service/client/directory";
import { useNavigate } from "@tanstack/react-router";
import { lazy, useCallback, useMemo, useState } from "react";
import { LeaveQuestion } from "../add-people/leave-question.tsx";
import { filtersOf, sorts, withFilters } from "../assignments/search.ts";
import { useCaller } from "../caller.ts";
import { mostSelected, useAllMatching } from "../changes/all-matching.ts";
import { BatchDialog } from "../changes/batch-dialog.tsx";
import { Nothing } from "../directory/answered.tsx";
import { Skeleton } from "../directory/page.tsx";
import { maySomewhere } from "../directory/rights.ts";
import { ExportOpener } from "../export/export-opener.tsx";
import { FilterBar } from "../filters/filter-bar.tsx";
import { announce } from "../parts/announcements.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { personName } from "../parts/links.tsx";
import { UserPicker } from "../pickers/user-picker.tsx";
import { hasAll, wordsIn } from "../search/hits.ts";
import { matrixWords as words } from "../words/matrix.ts";
import { CellDialog } from "./cell-dialog.tsx";
import {
  assignmentAt,
  type Column,
  type Edits,
  emptyRow,
  leftOf,
  type Row,
  rowsOf,
  wantedAt,
  wishesOf,
  withEdit,
} from "./cells.ts";
import { MatrixTable } from "./matrix-table.tsx";
import type { MatrixSearch } from "./search.ts";

const loadExport = () => import("./export-dialog.tsx");
const MatrixExportDialog = lazy(async () => ({ default: (await loadExport()).MatrixExportDialog }));

type Props = {
  search: MatrixSearch;
  /** What all of its assignments are in. */
  within: AuthorizationsSearchFilter;
  columns: readonly Column[];
  /** How many columns can't be shown at all. */
  notListed: number;
  /** Where someone new is added. */
  organizationOf: (user: User) => Pick<Organization, "id" | "name"> | undefined;
};

/** How many columns are shown at once. Others are found by a search. */
const mostColumns = 40;
/** What can change in the address without the loss of edits. */
const sameMatrix = ["filters", "sort", "asc"];
const noEdits: Edits = new Map();

/** The rows with their filters, and the changes of cells, which are sent together. */
export function Matrix({ search, within, columns, notListed, organizationOf }: Props) {
  const navigate = useNavigate({ from: "/matrix" });
  const mayAssign = maySomewhere(useCaller(), "user.grant.write");
  const isOfRoles = search.project !== undefined;
  const filters = useMemo(() => filtersOf(search), [search]);
  const query = useAllMatching({
    filters: [within, ...filters],
    sortingColumn: sorts[search.sort ?? "user"],
    asc: search.asc ?? false,
  });
  const [added, setAdded] = useState<readonly Row[]>([]);
  const [edits, setEdits] = useState(noEdits);
  const [text, setText] = useState("");
  const [opened, setOpened] = useState<{ row: Row; column: Column }>();
  const [isReviewed, setReviewed] = useState(false);
  const columnSearch = isOfRoles ? words.findRoles : words.findProjects;

  const rows = useMemo(() => {
    const listed = rowsOf(query.data ?? []);
    const there = new Map(listed.map((row) => [row.key, row]));
    // Who was added stays on top, also with an assignment.
    const first = added.map((row) => there.get(row.key) ?? row);
    for (const { key } of first) there.delete(key);
    return [...first, ...there.values()];
  }, [query.data, added]);
  const found = useMemo(
    () => columns.filter(({ name, id, detail }) => hasAll(`${name} ${id} ${detail}`, wordsIn(text))),
    [columns, text],
  );
  const shown = found.slice(0, mostColumns);
  const go = (next: MatrixSearch) => void navigate({ search: next });

  const press = useCallback(
    (row: Row, column: Column) => {
      if (!isOfRoles) return setOpened({ row, column });
      const assignment = assignmentAt(row, column.project);
      setEdits((current) => {
        const wanted = new Set(wantedAt(current, assignment));
        if (!wanted.delete(column.id)) wanted.add(column.id);
        return withEdit(current, assignment, wanted);
      });
    },
    [isOfRoles],
  );

  function add(user: User | undefined) {
    if (user === undefined) return;
    const organization = organizationOf(user);
    if (organization === undefined) return announce({ text: words.notAdded(personName(user)), failed: true });
    const row = emptyRow(user, organization);
    setAdded([row, ...added.filter(({ key }) => key !== row.key)]);
  }

  return (
    <>
      <LeaveQuestion hasList={edits.size > 0} {...words.leaving} keeps={sameMatrix} />
      <section className="line matrix-tools" aria-label={words.tools}>
        <FilterBar
          filters={filters}
          onChange={(changed, how) =>
            void navigate({ search: withFilters(search, changed), replace: how?.continues ?? false })
          }
        />
        <input
          type="search"
          aria-label={columnSearch}
          placeholder={columnSearch}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        {mayAssign && <UserPicker label={words.addPerson} value={undefined} onChange={add} />}
        <ExportOpener load={loadExport}>
          {(close) => (
            <MatrixExportDialog rows={rows} columns={found} isOfRoles={isOfRoles} edits={edits} onClose={close} />
          )}
        </ExportOpener>
      </section>
      {query.error && <FailureNotice error={query.error} onRetry={() => void query.refetch()} />}
      {!query.error && query.data === undefined && <Skeleton rows={12} columns={8} />}
      {query.data && (
        <p className="muted" role="status">
          {words.shown(rows.length, shown.length, found.length, isOfRoles)}
          {query.data.length >= mostSelected && ` ${words.onlyFirst(mostSelected)}`}
          {notListed > 0 && ` ${words.notListed(notListed)}`}
        </p>
      )}
      {query.data && rows.length === 0 && <Nothing>{words.none}</Nothing>}
      {rows.length > 0 && (
        <MatrixTable
          label={isOfRoles ? words.peopleAndRoles : words.peopleAndProjects}
          rows={rows}
          columns={shown}
          isOfRoles={isOfRoles}
          edits={edits}
          search={search}
          isOutdated={query.isPlaceholderData}
          reveal={added[0]?.key}
          onPress={press}
          onSearch={go}
        />
      )}
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
          assignment={assignmentAt(opened.row, opened.column.project)}
          wanted={wantedAt(edits, assignmentAt(opened.row, opened.column.project))}
          onDone={(wanted) => setEdits(withEdit(edits, assignmentAt(opened.row, opened.column.project), wanted))}
          onClose={() => setOpened(undefined)}
        />
      )}
      {isReviewed && (
        <BatchDialog
          rows={[...edits.values()].map(({ row }) => row)}
          change={{ kind: "give", wishes: wishesOf(edits) }}
          onClose={(left) => {
            setReviewed(false);
            setEdits(leftOf(edits, left));
          }}
        />
      )}
    </>
  );
}
