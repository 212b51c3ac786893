import "./pickers.css";
import { Combobox } from "@base-ui/react/combobox";
import { failureOf } from "../parts/failure.ts";
import { useViewHost } from "../parts/kept-view.tsx";
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
          aria-label={`Found ${plural}`}
          className="menu picker-popup"
          aria-busy={found.isAsking || undefined}
        >
          <Combobox.Status className="picker-status">{statusOf(found, text, plural)}</Combobox.Status>
          <Combobox.List>
            {(item: Item) => (
              <Combobox.Item key={idOf(item)} value={item}>
                <Row item={item} />
                <Combobox.ItemIndicator className="picker-picked">Picked</Combobox.ItemIndicator>
              </Combobox.Item>
            )}
          </Combobox.List>
        </Combobox.Popup>
      </Combobox.Positioner>
    </Combobox.Portal>
  );
}

function statusOf(found: Found<unknown>, text: string, plural: string): string | undefined {
  if (found.isAsking) return "Searching…";
  if (found.error) {
    const { title, advice } = failureOf(found.error);
    return `${title}. ${advice}`;
  }
  if (found.items.length === 0) {
    return text.trim() === "" ? `You see no ${plural}.` : `No ${plural} match “${text.trim()}”.`;
  }
  return found.isMore ? `There are more than these ${plural}: type to narrow them down.` : undefined;
}
