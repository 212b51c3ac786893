import { type ReactNode, type RefObject, useEffect, useId, useRef } from "react";
import { filterWords } from "../words/filters.ts";

export type Chip = { readonly index: number; readonly words: ReactNode };

type Props = {
  chips: readonly Chip[];
  onEdit: (index: number, opener: HTMLElement) => void;
  onPreload: () => void;
  onRemove: (index: number) => void;
  /** Absent if there is only one filter. */
  onRemoveAll: (() => void) | undefined;
  /** Gets the focus when the last chip is removed. */
  after: RefObject<HTMLButtonElement | null>;
};

/** The active filters. Each one can be edited with a click, or removed. */
export function FilterChips({ chips, onEdit, onPreload, onRemove, onRemoveAll, after }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const removed = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves when a chip is gone.
  useEffect(() => {
    if (removed.current === undefined) return;
    const buttons = list.current?.querySelectorAll<HTMLButtonElement>(".filter-chip-remove") ?? [];
    (buttons[Math.min(removed.current, buttons.length - 1)] ?? after.current)?.focus();
    removed.current = undefined;
  }, [chips.length]);

  if (chips.length === 0) return null;
  return (
    <ul ref={list} className="filter-chips" aria-label={filterWords.inUse}>
      {chips.map(({ index, words }, place) => (
        <FilterChip
          // biome-ignore lint/suspicious/noArrayIndexKey: a filter has no identity but its place.
          key={place}
          shown={words}
          onEdit={(opener) => onEdit(index, opener)}
          onPreload={onPreload}
          onRemove={() => {
            removed.current = place;
            onRemove(index);
          }}
        />
      ))}
      {onRemoveAll && (
        <li>
          <button
            type="button"
            className="plain"
            onClick={() => {
              removed.current = 0;
              onRemoveAll();
            }}
          >
            {filterWords.removeAll}
          </button>
        </li>
      )}
    </ul>
  );
}

type ChipProps = {
  shown: ReactNode;
  onEdit: (opener: HTMLElement) => void;
  onPreload: () => void;
  onRemove: () => void;
};

function FilterChip({ shown, onEdit, onPreload, onRemove }: ChipProps) {
  const words = useId();
  const remove = useId();
  return (
    <li className="filter-chip">
      <button
        type="button"
        className="plain filter-chip-edit"
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => onEdit(currentTarget)}
        onPointerEnter={onPreload}
        onFocus={onPreload}
      >
        <span id={words} className="filter-chip-words">
          {shown}
        </span>
      </button>
      <button
        type="button"
        id={remove}
        className="plain filter-chip-remove"
        aria-label={filterWords.remove}
        aria-labelledby={`${remove} ${words}`}
        onClick={onRemove}
      >
        <span aria-hidden="true">✕</span>
      </button>
    </li>
  );
}
