import "./filters.css";
import { SlidersHorizontal } from "lucide-react";
import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { filterWords } from "../words/filters.ts";
import type { Chip } from "./filter-chips.tsx";

// Not with the first view, which often has none.
const FilterChips = lazy(async () => ({ default: (await import("./filter-chips.tsx")).FilterChips }));

/** What an editor needs: which filter it edits, none for a new one, and what gets the focus afterwards. */
export type Editing = { readonly index: number | undefined; readonly opener: HTMLElement; readonly close: () => void };

type Props = {
  /** Fields for the filters that people use most. */
  children: ReactNode;
  chips: readonly Chip[];
  /** Why there can't be another filter, if so. */
  full?: string | undefined;
  onRemove: (index: number) => void;
  /** Absent if there is only one filter. */
  onRemoveAll: (() => void) | undefined;
  editor: (editing: Editing) => ReactNode;
  /** Absent if the editor comes with the page. */
  onPreload?: () => void;
};

/** The filters of a list: fields, a button to add one, and those in use as chips. */
export function ChipBar({ children, chips, full, onRemove, onRemoveAll, editor, onPreload = () => {} }: Props) {
  const [edited, setEdited] = useState<Omit<Editing, "close">>();
  const addButton = useRef<HTMLButtonElement>(null);

  // They move the focus when the last one is removed, so they stay.
  const [hadChips, setHadChips] = useState(false);
  if (chips.length > 0 && !hadChips) setHadChips(true);

  return (
    <search className="line filter-bar" aria-label={filterWords.label}>
      {children}
      <button
        ref={addButton}
        type="button"
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => setEdited({ index: undefined, opener: currentTarget })}
        onPointerEnter={onPreload}
        onFocus={onPreload}
        disabled={full !== undefined}
        title={full ?? filterWords.more}
      >
        <SlidersHorizontal aria-hidden="true" />
        <span className="tool-label">{filterWords.more}</span>
      </button>
      {(chips.length > 0 || hadChips) && (
        <Suspense>
          <FilterChips
            chips={chips}
            onEdit={(index, opener) => setEdited({ index, opener })}
            onPreload={onPreload}
            onRemove={onRemove}
            onRemoveAll={onRemoveAll}
            after={addButton}
          />
        </Suspense>
      )}
      {edited && <Suspense>{editor({ ...edited, close: () => setEdited(undefined) })}</Suspense>}
    </search>
  );
}
