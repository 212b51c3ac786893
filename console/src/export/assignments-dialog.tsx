import { AuthorizationService, type AuthorizationsSearchFilter } from "@authorization-service/client";
import { createClient, type Transport } from "@connectrpc/connect";
import { type AssignmentsSearch, sorts } from "../assignments/search.ts";
import { exportWords } from "../words/export.ts";
import { pageWords } from "../words/pages.ts";
import { ExportDialog } from "./export-dialog.tsx";
import type { Exported, Rows } from "./export-list.ts";
import { type List, pagesOf } from "./pages.ts";
import { header, rowOf } from "./rows.ts";

type Props = { search: AssignmentsSearch; filters: AuthorizationsSearchFilter[]; onClose: () => void };

/** Exports all pages of the table's list. */
export function AssignmentsDialog({ search, filters, onClose }: Props) {
  const { sort = "created", asc = false } = search;
  const exported: Exported = {
    file: "assignments",
    of: pageWords.assignments,
    header,
    promises: exportWords.assignments.promises(exportWords.assignments.moves[sort]),
    rows: (transport, signal) => rowsOf(transport, { filters, sortingColumn: sorts[sort], asc }, signal),
  };
  return <ExportDialog exported={exported} onClose={onClose} />;
}

async function* rowsOf(transport: Transport, list: List, signal: AbortSignal): AsyncGenerator<Rows> {
  for await (const { authorizations, total } of pagesOf(createClient(AuthorizationService, transport), list, signal)) {
    yield { rows: authorizations.map(rowOf), total };
  }
}
