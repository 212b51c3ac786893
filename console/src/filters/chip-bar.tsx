import "./filters.css";
import { SlidersHorizontal } from "lucide-react";
import { type ReactNode, Suspense, useEffect, useId, useRef, useState } from "react";
import { filterWords } from "../words/filters.ts";

export type Chip = { readonly index: number; readonly words: ReactNode };

/** What an editor needs: which filter it edits, none for a new one. */
export type Editing = { readonly index: number | undefined; readonly close: () => void };

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
};

/** The filters of a list: fields, a button to add one, and those in use as chips, each to be edited or removed. */
export function ChipBar({ children, chips, full, onRemove, onRemoveAll, editor }: Props) {
  const id = useId();
  const [edited, setEdited] = useState<Pick<Editing, "index">>();
  const addButton = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const removed = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves when a chip is gone.
  useEffect(() => {
    if (removed.current === undefined) return;
    const buttons = list.current?.querySelectorAll<HTMLButtonElement>(".filter-chip-remove") ?? [];
    (buttons[Math.min(removed.current, buttons.length - 1)] ?? addButton.current)?.focus();
    removed.current = undefined;
  }, [chips.length]);
  const remove = (place: number, run: () => void) => {
    removed.current = place;
    run();
  };

  return (
    <search className="line filter-bar" aria-label={filterWords.label}>
      {children}
      <button
        ref={addButton}
        type="button"
        aria-haspopup="dialog"
        onClick={() => setEdited({ index: undefined })}
        disabled={full !== undefined}
        title={full ?? filterWords.more}
      >
        <SlidersHorizontal aria-hidden="true" />
        <span className="tool-label">{filterWords.more}</span>
      </button>
      <Suspense>
        {chips.length > 0 && (
          <ul ref={list} className="line filter-chips" aria-label={filterWords.inUse}>
            {chips.map(({ index, words }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a filter has no identity but its place.
              <li key={place} className="filter-chip">
                <button
                  type="button"
                  className="plain filter-chip-edit"
                  aria-haspopup="dialog"
                  onClick={() => setEdited({ index })}
                >
                  <span id={`${id}-${place}`} className="filter-chip-words">
                    {words}
                  </span>
                </button>
                <button
                  type="button"
                  id={`${id}-remove-${place}`}
                  className="plain filter-chip-remove"
                  aria-label={filterWords.remove}
                  aria-labelledby={`${id}-remove-${place} ${id}-${place}`}
                  onClick={() => remove(place, () => onRemove(index))}
                >
                  <span aria-hidden="true">✕</span>
                </button>
              </li>
            ))}
            {onRemoveAll && (
              <li>
                <button type="button" className="plain" onClick={() => remove(0, onRemoveAll)}>
                  {filterWords.removeAll}
                </button>
              </li>
            )}
          </ul>
        )}
      </Suspense>
      {edited && <Suspense>{editor({ ...edited, close: () => setEdited(undefined) })}</Suspense>}
    </search>
  );
}
