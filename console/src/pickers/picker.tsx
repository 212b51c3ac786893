import { Combobox } from "@base-ui/react/combobox";
import { type ReactNode, useId } from "react";
import { pickerWords } from "../words/pickers.ts";
import { longestText } from "./found.ts";
import { FoundList } from "./found-list.tsx";
import { type Pickable, useSearch } from "./use-search.ts";

type FieldProps = {
  label: string;
  /** What distinguishes the value from others with the same name, shown under the field. */
  hint?: ReactNode;
  /** The problem with the value, shown under the field. */
  problem?: string | undefined;
};

export type PickerProps<Item> = FieldProps & {
  value: Item | undefined;
  onChange: (value: Item | undefined) => void;
};

export type SeveralPickerProps<Item> = FieldProps & {
  value: readonly Item[];
  onChange: (value: readonly Item[]) => void;
};

/** A field to search for one thing and pick it. */
export function Picker<Item>({
  pickable,
  value,
  onChange,
  ...field
}: PickerProps<Item> & { pickable: Pickable<Item> }) {
  const { root, input, known, framed } = usePicker(pickable, field);
  return (
    <Combobox.Root<Item>
      {...root}
      items={known(value === undefined ? [] : [value])}
      value={value ?? null}
      onValueChange={(picked) => onChange(picked ?? undefined)}
    >
      {framed(
        <Combobox.InputGroup className="picker-field">
          {input}
          <Combobox.Clear className="plain picker-clear" aria-label={pickerWords.clear(field.label)}>
            <span aria-hidden="true">✕</span>
          </Combobox.Clear>
        </Combobox.InputGroup>,
      )}
    </Combobox.Root>
  );
}

/** A field to search for things and pick several. Each one is shown as a chip that can be removed. */
export function SeveralPicker<Item>({
  pickable,
  value,
  onChange,
  ...field
}: SeveralPickerProps<Item> & { pickable: Pickable<Item> }) {
  const { idOf, nameOf, plural } = pickable;
  const { root, input, known, framed } = usePicker(pickable, field);
  return (
    <Combobox.Root<Item, true> {...root} multiple items={known(value)} value={[...value]} onValueChange={onChange}>
      {framed(
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
            {input}
          </Combobox.Chips>
        </Combobox.InputGroup>,
      )}
    </Combobox.Root>
  );
}

/** What both have in common: the search, the label, the field, what is said under it, and the list. */
function usePicker<Item>(pickable: Pickable<Item>, { label, hint, problem }: FieldProps) {
  const { idOf, nameOf, plural } = pickable;
  const field = useId();
  const { found, text, isOpen, isUnpicked, known, onKeyDown, ...search } = useSearch(pickable);
  // While the list is open, it says what was found.
  const shown = isUnpicked && !isOpen ? pickerWords.unpicked : problem;
  return {
    known,
    root: {
      filteredItems: [...found.items],
      filter: null,
      itemToStringLabel: nameOf,
      isItemEqualToValue: (item: Item, other: Item) => idOf(item) === idOf(other),
      open: isOpen,
      onOpenChange: search.onOpenChange,
      onInputValueChange: search.onInputValueChange,
      onItemHighlighted: search.onItemHighlighted,
      autoHighlight: true,
    },
    input: (
      <Combobox.Input
        id={field}
        placeholder={pickerWords.search(plural)}
        maxLength={longestText}
        onKeyDown={onKeyDown}
        data-unpicked={isUnpicked || undefined}
        aria-invalid={shown !== undefined || undefined}
        aria-describedby={shown === undefined ? undefined : `${field}-problem`}
      />
    ),
    framed: (group: ReactNode) => (
      <>
        <div className="picker">
          <label htmlFor={field}>{label}</label>
          {group}
          {hint && <bdi className="hint">{hint}</bdi>}
          {shown !== undefined && (
            <p id={`${field}-problem`} className="problem">
              {shown}
            </p>
          )}
        </div>
        <FoundList pickable={pickable} found={found} text={text} />
      </>
    ),
  };
}
