import { Combobox } from "@base-ui/react/combobox";
import { type ReactNode, useId } from "react";
import { pickerWords } from "../words/pickers.ts";
import { longestText } from "./found.ts";
import { FoundList } from "./found-list.tsx";
import { type Pickable, useSearch } from "./use-search.ts";

export type PickerProps<Item> = {
  label: string;
  value: Item | undefined;
  onChange: (value: Item | undefined) => void;
  /** What distinguishes the value from others with the same name, shown under the field. */
  hint?: ReactNode;
  /** The problem with the value, shown under the field. */
  problem?: string | undefined;
};

/** A field to search for one thing and pick it. */
export function Picker<Item>({
  pickable,
  label,
  value,
  onChange,
  hint,
  problem,
}: PickerProps<Item> & { pickable: Pickable<Item> }) {
  const field = useId();
  const search = useSearch(pickable);
  const { found, text, isOpen, isUnpicked } = search;
  // While the list is open, it says what was found.
  const shown = isUnpicked && !isOpen ? pickerWords.unpicked : problem;
  return (
    <Combobox.Root<Item>
      items={search.known(value === undefined ? [] : [value])}
      filteredItems={[...found.items]}
      filter={null}
      value={value ?? null}
      onValueChange={(picked) => onChange(picked ?? undefined)}
      itemToStringLabel={pickable.nameOf}
      isItemEqualToValue={(item, other) => pickable.idOf(item) === pickable.idOf(other)}
      open={isOpen}
      onOpenChange={search.onOpenChange}
      onInputValueChange={search.onInputValueChange}
      onItemHighlighted={search.onItemHighlighted}
      autoHighlight
    >
      <div className="picker">
        <label htmlFor={field}>{label}</label>
        <Combobox.InputGroup className="picker-field">
          <Combobox.Input
            id={field}
            placeholder={pickerWords.search(pickable.plural)}
            maxLength={longestText}
            onKeyDown={search.onKeyDown}
            data-unpicked={isUnpicked || undefined}
            aria-invalid={shown !== undefined || undefined}
            aria-describedby={shown === undefined ? undefined : `${field}-problem`}
          />
          <Combobox.Clear className="plain picker-clear" aria-label={pickerWords.clear(label)}>
            <span aria-hidden="true">✕</span>
          </Combobox.Clear>
        </Combobox.InputGroup>
        {hint && <bdi className="hint">{hint}</bdi>}
        {shown !== undefined && (
          <p id={`${field}-problem`} className="problem">
            {shown}
          </p>
        )}
      </div>
      <FoundList pickable={pickable} found={found} text={text} />
    </Combobox.Root>
  );
}
