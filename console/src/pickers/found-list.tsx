import "./pickers.css";
import { Combobox } from "@base-ui/react/combobox";
import { failureOf } from "../parts/failure.ts";
import { useViewHost } from "../parts/kept-view.tsx";
import { pickerWords } from "../words/pickers.ts";
import type { Found } from "./found.ts";
import type { Pickable } from "./use-search.ts";

type Props<Item> = { pickable: Pickable<Item>; found: Found<Item>; text: string };

/** The list that opens under a picker, with the status of the search. */
export function FoundList<Item>({ pickable: { idOf, Row, plural }, found, text }: Props<Item>) {
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
          <Combobox.Status className="picker-status">{statusOf(found, text, plural)}</Combobox.Status>
          <Combobox.List>
            {(item: Item) => (
              <Combobox.Item key={idOf(item)} value={item}>
                <Row item={item} all={found.items} />
                <Combobox.ItemIndicator className="picker-picked">{pickerWords.picked}</Combobox.ItemIndicator>
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
  if (found.items.length === 0) {
    return text.trim() === "" ? pickerWords.none(plural) : pickerWords.noMatch(plural, text.trim());
  }
  return found.isMore ? pickerWords.more(plural) : undefined;
}
