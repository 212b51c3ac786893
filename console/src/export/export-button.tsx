import type { AuthorizationsSearchFilter } from "@authorization-service/client";
import { lazy } from "react";
import type { AssignmentsSearch } from "../assignments/search.ts";
import { ExportOpener } from "./export-opener.tsx";

const load = () => import("./assignments-dialog.tsx");
const AssignmentsDialog = lazy(async () => ({ default: (await load()).AssignmentsDialog }));

type Props = { search: AssignmentsSearch; filters: AuthorizationsSearchFilter[] };

/** Opens the dialog that exports the whole filtered and sorted list, not only the page. */
export function ExportButton({ search, filters }: Props) {
  return (
    <ExportOpener load={load}>
      {(close) => <AssignmentsDialog search={search} filters={filters} onClose={close} />}
    </ExportOpener>
  );
}
