import { AuthorizationService, type AuthorizationsSearchFilter } from "@authorization-service/client";
import { callUnaryMethod } from "@connectrpc/connect-query";
import { type AssignmentsSearch, sorts } from "../assignments/search.ts";
import { exportWords } from "../words/export.ts";
import { pageWords } from "../words/pages.ts";
import { ExportDialog } from "./export-dialog.tsx";
import { rowsOfAll } from "./pages.ts";
import { header, rowOf } from "./rows.ts";

type Props = { search: AssignmentsSearch; filters: AuthorizationsSearchFilter[]; onClose: () => void };

/** Exports all pages of the table's list. */
export function AssignmentsDialog({ search, filters, onClose }: Props) {
  const { sort = "created", asc = false } = search;
  const { listAuthorizations } = AuthorizationService.method;
  const list = { filters, sortingColumn: sorts[sort] };
  const rows = rowsOfAll(
    (transport, asked, signal) =>
      callUnaryMethod(transport, listAuthorizations, { ...list, pagination: { ...asked, asc } }, { signal }),
    ({ authorizations }) => authorizations.map(rowOf),
  );
  const promises = exportWords.assignments.promises(exportWords.assignments.moves[sort]);
  return (
    <ExportDialog
      exported={{ file: "assignments", of: pageWords.assignments, header, promises, rows }}
      onClose={onClose}
    />
  );
}
