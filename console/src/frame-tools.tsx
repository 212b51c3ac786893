import { Keyboard, Search } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { keysOf, useShortcut } from "./keyboard/shortcuts.ts";
import { Undo } from "./undo/undo.tsx";
import { partWords } from "./words/parts.ts";

const SearchDialog = lazy(async () => ({ default: (await import("./search/search-dialog.tsx")).SearchDialog }));
const KeysDialog = lazy(async () => ({ default: (await import("./keyboard/keys-dialog.tsx")).KeysDialog }));

/** What is on every page: undoing the last change, the search, and the list of keyboard shortcuts. */
export function FrameTools() {
  const [opened, setOpened] = useState<"search" | "keys">();
  useShortcut("search", () => setOpened("search"));
  const close = () => setOpened(undefined);
  return (
    <>
      <Undo />
      <button
        type="button"
        className="frame-search"
        aria-haspopup="dialog"
        title={`${partWords.search} (${keysOf("search")})`}
        onClick={() => setOpened("search")}
      >
        <Search aria-hidden="true" />
        <span className="tool-label">{partWords.search}</span>
      </button>
      <button
        type="button"
        className="plain frame-keys"
        aria-haspopup="dialog"
        aria-label={partWords.keys}
        title={partWords.keys}
        onClick={() => setOpened("keys")}
      >
        <Keyboard aria-hidden="true" />
      </button>
      <Suspense>
        {opened === "search" && <SearchDialog onKeys={() => setOpened("keys")} onClose={close} />}
        {opened === "keys" && <KeysDialog onClose={close} />}
      </Suspense>
    </>
  );
}
