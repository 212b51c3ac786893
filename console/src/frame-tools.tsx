import { Keyboard, Search } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Keys } from "./keyboard/keys.tsx";
import { useShortcut } from "./keyboard/shortcuts.ts";
import { hasSingleKeys } from "./keyboard/single-keys.ts";
import { keepTyping } from "./keyboard/typed-early.ts";
import { Undo } from "./undo/undo.tsx";
import { partWords } from "./words/parts.ts";

const loadSearch = () => import("./search/search-dialog.tsx");
const SearchDialog = lazy(async () => ({ default: (await loadSearch()).SearchDialog }));
const preloadSearch = () => void loadSearch().catch(() => undefined);
const KeysDialog = lazy(async () => ({ default: (await import("./keyboard/keys-dialog.tsx")).KeysDialog }));

/** What is on every page: undoing the last change, the search, and the list of keyboard shortcuts. */
export function FrameTools() {
  const [opened, setOpened] = useState<"search" | "keys">();
  const search = () => {
    keepTyping();
    setOpened("search");
  };
  useShortcut("search", search);
  useShortcut("help", () => setOpened("keys"));
  const close = () => setOpened(undefined);
  return (
    <>
      <Undo />
      <button
        type="button"
        className="frame-search"
        aria-haspopup="dialog"
        onClick={search}
        onPointerEnter={preloadSearch}
        onFocus={preloadSearch}
      >
        <Search aria-hidden="true" />
        <span className="tool-label">{partWords.search}</span>
        <span className="frame-search-keys" aria-hidden="true">
          <Keys of="search" />
        </span>
      </button>
      <button
        type="button"
        className="plain frame-keys"
        aria-haspopup="dialog"
        aria-label={partWords.keys}
        title={partWords.keys}
        onClick={() => setOpened("keys")}
      >
        {hasSingleKeys() ? (
          <span aria-hidden="true">
            <Keys of="help" />
          </span>
        ) : (
          <Keyboard aria-hidden="true" />
        )}
      </button>
      <Suspense>
        {opened === "search" && <SearchDialog onKeys={() => setOpened("keys")} onClose={close} />}
        {opened === "keys" && <KeysDialog onClose={close} />}
      </Suspense>
    </>
  );
}
