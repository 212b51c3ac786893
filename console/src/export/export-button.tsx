import type { AuthorizationsSearchFilter } from "@authorization-service/client";
import { Download } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import type { AssignmentsSearch } from "../assignments/search.ts";
import { partWords } from "../words/parts.ts";

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
      <button
        ref={button}
        type="button"
        title={partWords.export}
        onPointerEnter={load}
        onFocus={load}
        onClick={() => setOpen(true)}
      >
        <Download aria-hidden="true" />
        <span className="tool-label">{partWords.export}</span>
      </button>
      {isOpen && (
        <Suspense>
          <ExportDialog search={search} filters={filters} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
