import { Search } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { keysOf, useShortcut } from "./keyboard/shortcuts.ts";
import { Undo } from "./undo/undo.tsx";
import { partWords } from "./words/parts.ts";

const SearchDialog = lazy(async () => ({ default: (await import("./search/search-dialog.tsx")).SearchDialog }));

/** What is on every page: undoing the last change, and the search. */
export function FrameTools() {
  const [isOpen, setOpen] = useState(false);
  useShortcut("search", () => setOpen(true));
  return (
    <>
      <Undo />
      <button
        type="button"
        className="frame-search"
        aria-haspopup="dialog"
        title={`${partWords.search} (${keysOf("search")})`}
        onClick={() => setOpen(true)}
      >
        <Search aria-hidden="true" />
        <span className="tool-label">{partWords.search}</span>
      </button>
      <Suspense>{isOpen && <SearchDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
