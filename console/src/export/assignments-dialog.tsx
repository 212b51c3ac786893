import { AuthorizationService, type AuthorizationsSearchFilter } from "@authorization-service/client";
import { createClient, type Transport } from "@connectrpc/connect";
import { type AssignmentsSearch, type Sort, sorts } from "../assignments/search.ts";
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
    promises: promisesOf(sort),
    rows: (transport, signal) => rowsOf(transport, { filters, sortingColumn: sorts[sort], asc }, signal),
  };
  return <ExportDialog exported={exported} onClose={onClose} />;
}

async function* rowsOf(transport: Transport, list: List, signal: AbortSignal): AsyncGenerator<Rows> {
  for await (const { authorizations, total } of pagesOf(createClient(AuthorizationService, transport), list, signal)) {
    yield { rows: authorizations.map(rowOf), total };
  }
}

/** For each sort order, the changes of an assignment that move it within the list. */
const moves: Partial<Record<Sort, string>> = {
  changed: "is changed",
  user: "changes because its user is renamed",
  project: "changes because its project is renamed",
  organization: "changes because its organization is renamed",
  "user-organization": "changes because its user moves to another organization",
};

function promisesOf(sort: Sort): string[] {
  const moved = moves[sort];
  return [
    "All pages of the table, with its filters and in its order; all columns, also those left out.",
    `The list may change while it is read. Each assignment is in the file once, as it was when its page was read; one that is created or removed, or begins or ceases to match the filters, may be missing.${
      moved === undefined ? "" : ` Sorted as it is now, one that ${moved} meanwhile may be missing or be there twice.`
    }`,
    "Times are in UTC. A text that a spreadsheet would calculate has an apostrophe before it.",
  ];
}
