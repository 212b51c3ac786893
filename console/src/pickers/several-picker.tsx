import { Combobox } from "@base-ui/react/combobox";
import { useId } from "react";
import { pickerWords } from "../words/pickers.ts";
import { longestText } from "./found.ts";
import { FoundList } from "./found-list.tsx";
import { type Pickable, useSearch } from "./use-search.ts";

export type SeveralPickerProps<Item> = {
  label: string;
  value: readonly Item[];
  onChange: (value: readonly Item[]) => void;
  /** The problem with the value, shown under the field. */
  problem?: string | undefined;
};

/** A field to search for things and pick several. Each one is shown as a chip that can be removed. */
export function SeveralPicker<Item>({
  pickable,
  label,
  value,
  onChange,
  problem,
}: SeveralPickerProps<Item> & { pickable: Pickable<Item> }) {
  const { idOf, nameOf, plural } = pickable;
  const field = useId();
  const search = useSearch(pickable);
  const { found, text, isOpen, isUnpicked } = search;
  // While the list is open, it says what was found.
  const shown = isUnpicked && !isOpen ? pickerWords.unpicked : problem;
  return (
    <Combobox.Root<Item, true>
      multiple
      items={search.known(value)}
      filteredItems={[...found.items]}
      filter={null}
      value={[...value]}
      onValueChange={onChange}
      itemToStringLabel={nameOf}
      isItemEqualToValue={(item, other) => idOf(item) === idOf(other)}
      open={isOpen}
      onOpenChange={search.onOpenChange}
      onInputValueChange={search.onInputValueChange}
      onItemHighlighted={search.onItemHighlighted}
      autoHighlight
    >
      <div className="picker">
        <label htmlFor={field}>{label}</label>
        <Combobox.InputGroup className="picker-field picker-several">
          <Combobox.Chips
            className="picker-chips"
            aria-label={value.length > 0 ? pickerWords.pickedOf(plural) : undefined}
          >
            {value.map((item) => (
              <Combobox.Chip key={idOf(item)} className="chip picker-chip" aria-label={nameOf(item)}>
                <bdi>{nameOf(item)}</bdi>
                <Combobox.ChipRemove className="plain picker-clear" aria-label={pickerWords.remove(nameOf(item))}>
                  <span aria-hidden="true">✕</span>
                </Combobox.ChipRemove>
              </Combobox.Chip>
            ))}
            <Combobox.Input
              id={field}
              placeholder={pickerWords.search(plural)}
              maxLength={longestText}
              onKeyDown={search.onKeyDown}
              data-unpicked={isUnpicked || undefined}
              aria-invalid={shown !== undefined || undefined}
              aria-describedby={shown === undefined ? undefined : `${field}-problem`}
            />
          </Combobox.Chips>
        </Combobox.InputGroup>
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
