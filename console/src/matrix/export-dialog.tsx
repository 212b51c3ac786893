import { ExportDialog } from "../export/export-dialog.tsx";
import { lackOf } from "../parts/state-badge.tsx";
import { matrixWords as words } from "../words/matrix.ts";
import { pageWords } from "../words/pages.ts";
import { assignmentAt, type Column, type Edits, namesOf, type Row, wantedAt } from "./cells.ts";

type Props = {
  rows: readonly Row[];
  columns: readonly Column[];
  isOfRoles: boolean;
  edits: Edits;
  onClose: () => void;
};

/** Exports the rows as they are shown, with changes that are not sent yet, and with all columns that were found. */
export function MatrixExportDialog({ rows, columns, isOfRoles, edits, onClose }: Props) {
  function cellOf(row: Row, { id, project }: Column): string {
    const assignment = assignmentAt(row, project);
    const wanted = wantedAt(edits, assignment);
    const names = namesOf(wanted, [...assignment.roles, ...project.roles]).join("; ");
    const text = isOfRoles ? wanted.has(id) && words.yes : names;
    const lack = lackOf(assignment);
    return text && lack ? `${lack}: ${text}` : text || "";
  }

  async function* pages() {
    const lines = rows.map((row) => [
      row.user.displayName,
      row.user.preferredLoginName,
      row.organization.name,
      ...columns.map((column) => cellOf(row, column)),
    ]);
    yield { rows: lines, total: lines.length };
  }

  const header = [words.person, words.loginName, words.organization, ...columns.map(({ name }) => name)];
  return (
    <ExportDialog
      exported={{ file: "matrix", of: pageWords.people, header, promises: words.promises, rows: pages }}
      onClose={onClose}
    />
  );
}
