import type { AuthorizationsSearchFilter } from "@authorization-service/client";
import { lazy, Suspense, useRef, useState } from "react";
import type { AssignmentsSearch } from "../assignments/search.ts";

const load = () => import("./export-dialog.tsx");
const ExportDialog = lazy(async () => ({ default: (await load()).ExportDialog }));

type Props = { search: AssignmentsSearch; filters: AuthorizationsSearchFilter[] };

/** Opens the dialog that exports the whole filtered and sorted list, not only the page. */
export function ExportButton({ search, filters }: Props) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <button ref={button} type="button" onPointerEnter={load} onFocus={load} onClick={() => setOpen(true)}>
        Export CSV
      </button>
      {isOpen && (
        <Suspense>
          <ExportDialog search={search} filters={filters} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
