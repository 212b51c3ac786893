import { Keyboard, Search } from "lucide-react";
import { lazy, Suspense, useEffectEvent, useLayoutEffect, useState } from "react";
import { Keys } from "./keyboard/keys.tsx";
import { useShortcut } from "./keyboard/shortcuts.ts";
import { hasSingleKeys } from "./keyboard/single-keys.ts";
import { UndoButton } from "./undo/undo-button.tsx";
import { partWords } from "./words/parts.ts";

const loadSearch = () => import("./search/search-dialog.tsx");
const SearchDialog = lazy(async () => ({ default: (await loadSearch()).SearchDialog }));
const preloadSearch = () => void loadSearch().catch(() => undefined);
const KeysDialog = lazy(async () => ({ default: (await import("./keyboard/keys-dialog.tsx")).KeysDialog }));

/** What is on every page: undoing the last change, the search, and the list of keyboard shortcuts. */
export function FrameTools() {
  const [opened, setOpened] = useState<"search" | "keys">();
  useShortcut("search", () => setOpened("search"));
  useShortcut("help", () => setOpened("keys"));
  const [typed, setTyped] = useState("");
  const close = () => {
    setOpened(undefined);
    setTyped("");
  };
  return (
    <>
      <UndoButton />
      <button
        type="button"
        className="frame-search"
        aria-haspopup="dialog"
        onClick={() => setOpened("search")}
        onPointerEnter={preloadSearch}
        onFocus={preloadSearch}
      >
        <Search aria-hidden="true" />
        <span>{partWords.search}</span>
        <span className="frame-search-keys" aria-hidden="true">
          <Keys of="search" />
        </span>
      </button>
      <button
        type="button"
        className="frame-keys"
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
      <Suspense fallback={opened === "search" && <TypedEarly onType={(key) => setTyped((text) => text + key)} />}>
        {opened === "search" && <SearchDialog typed={typed} onKeys={() => setOpened("keys")} onClose={close} />}
        {opened === "keys" && <KeysDialog onClose={close} />}
      </Suspense>
    </>
  );
}

/** Keeps what is typed until the search is loaded: it is meant for its field, and is no shortcut. */
function TypedEarly({ onType }: { onType: (key: string) => void }) {
  const keep = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    onType(event.key);
  });
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => keep(event);
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, []);
  return null;
}
