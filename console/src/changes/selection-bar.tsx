import type { Authorization } from "@authorization-service/client";

/** What can be done with the selected assignments at once. */
export function SelectionBar({ selected, onClear }: { selected: readonly Authorization[]; onClear: () => void }) {
  if (selected.length === 0) return null;
  return (
    <section className="selection-bar" aria-label="Selection">
      {selected.length} selected
      <button type="button" onClick={onClear}>
        Clear
      </button>
    </section>
  );
}
