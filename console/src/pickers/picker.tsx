import "./pickers.css";
import { Combobox } from "@base-ui/react/combobox";
import { type ReactNode, useId } from "react";
import { failureOf } from "../parts/failure.ts";
import { useViewHost } from "../parts/kept-view.tsx";
import { pickerWords } from "../words/pickers.ts";
import { type Found, longestText } from "./found.ts";
import { type Pickable, useSearch } from "./use-search.ts";

type FieldProps = {
  label: string;
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
export function Picker<Item>({ pickable, ...props }: PickerProps<Item> & { pickable: Pickable<Item> }) {
  const { value, label, onChange } = props;
  const { root, input, framed } = usePicker(pickable, props, value === undefined ? [] : [value], onChange);
  return (
    <Combobox.Root<Item>
      {...root}
      // The field also shows the name of the picked thing, but only typed text is searched.
      inputValue={root.inputValue || (value === undefined ? "" : pickable.nameOf(value))}
      value={value ?? null}
      onValueChange={(picked) => onChange(picked ?? undefined)}
    >
      {framed(
        <Combobox.InputGroup className="picker-field">
          {input}
          <Combobox.Clear className="plain picker-clear" aria-label={pickerWords.clear(label)}>
            <span aria-hidden="true">✕</span>
          </Combobox.Clear>
        </Combobox.InputGroup>,
        value !== undefined && pickable.hintOf?.(value),
      )}
    </Combobox.Root>
  );
}

/** A field to search for things and pick several. Each one is shown as a chip that can be removed. */
export function SeveralPicker<Item>({ pickable, ...props }: SeveralPickerProps<Item> & { pickable: Pickable<Item> }) {
  const { value, onChange } = props;
  const { idOf, nameOf, plural } = pickable;
  const add = (item: Item) => onChange([...value.filter((one) => idOf(one) !== idOf(item)), item]);
  const { root, input, framed } = usePicker(pickable, props, value, add);
  return (
    <Combobox.Root<Item, true> {...root} multiple value={[...value]} onValueChange={onChange}>
      {framed(
        <Combobox.InputGroup className="picker-field picker-several">
          <Combobox.Chips
            className="chips picker-chips"
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
function usePicker<Item>(
  pickable: Pickable<Item>,
  { label, problem }: FieldProps,
  picked: readonly Item[],
  pick: (item: Item) => void,
) {
  const { idOf, nameOf, plural } = pickable;
  const field = useId();
  const { text, found, combobox, onKeyDown } = useSearch(pickable, pick);
  const isUnpicked = text.trim() !== "";
  // While the list is open, it says what was found.
  const shown = isUnpicked && !combobox.open ? pickerWords.unpicked : problem;
  const isSame = (item: Item, other: Item) => idOf(item) === idOf(other);
  return {
    root: {
      ...combobox,
      items: [...picked, ...found.items.filter((item) => !picked.some((one) => isSame(one, item)))],
      filteredItems: [...found.items],
      filter: null,
      itemToStringLabel: nameOf,
      isItemEqualToValue: isSame,
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
    framed: (group: ReactNode, hint?: ReactNode) => (
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
        <FoundList pickable={pickable} found={found} text={text.trim()} />
      </>
    ),
  };
}

type ListProps<Item> = { pickable: Pickable<Item>; found: Found<Item>; text: string };

/** The list that opens under a picker, with the status of the search. */
function FoundList<Item>({ pickable: { idOf, Row, plural }, found, text }: ListProps<Item>) {
  const host = useViewHost();
  return (
    <Combobox.Portal container={host}>
      <Combobox.Positioner className="picker-positioner" sideOffset={4}>
        {/* It stands outside of the page's landmarks, so it is one. */}
        <Combobox.Popup
          role="region"
          aria-label={pickerWords.found(plural)}
          className="menu picker-popup"
          aria-busy={found.isAsking || undefined}
        >
          <Combobox.Status className="muted picker-status">{statusOf(found, text, plural)}</Combobox.Status>
          <Combobox.List>
            {(item: Item) => (
              <Combobox.Item key={idOf(item)} value={item}>
                <Row item={item} all={found.items} />
                <Combobox.ItemIndicator className="muted">{pickerWords.picked}</Combobox.ItemIndicator>
              </Combobox.Item>
            )}
          </Combobox.List>
        </Combobox.Popup>
      </Combobox.Positioner>
    </Combobox.Portal>
  );
}

function statusOf(found: Found<unknown>, text: string, plural: string): string | undefined {
  if (found.isAsking) return pickerWords.searching;
  if (found.error) {
    const { title, advice } = failureOf(found.error);
    return pickerWords.failed(title, advice);
  }
  if (found.items.length === 0) return text === "" ? pickerWords.none(plural) : pickerWords.noMatch(plural, text);
  return found.isMore ? pickerWords.more(plural) : undefined;
}
