import type { BaseUIEvent } from "@base-ui/react/types";
import { type KeyboardEvent, useState } from "react";
import { type Found, useSettled } from "./found.ts";

/** What can be picked: how one is told from another, what it is called, and how the service is asked for it. */
export type Pickable<Item> = {
  readonly idOf: (item: Item) => string;
  readonly nameOf: (item: Item) => string;
  readonly Row: (props: { item: Item }) => React.ReactNode;
  /** Asks only while the list is open. The empty text finds the first ones. */
  readonly useFound: (text: string, isOpen: boolean) => Found<Item>;
  /** Such as “users”. */
  readonly plural: string;
};

/** The text that is looked for, whether the list is open, and what was found for it. */
export function useSearch<Item>({ useFound, idOf }: Pickable<Item>) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const settled = useSettled(text);
  const found = useFound(settled.trim(), isOpen);
  return {
    isOpen,
    text,
    found: { ...found, isAsking: found.isAsking || settled !== text },
    /** What was found and what is picked, each once. */
    known: (picked: readonly Item[]) => [
      ...new Map([...picked, ...found.items].map((item) => [idOf(item), item])).values(),
    ],
    onOpenChange(open: boolean) {
      setOpen(open);
      if (!open) setText("");
    },
    /** Escape closes the list; after that it is for what stands around, and never empties the field. */
    onKeyDown(event: BaseUIEvent<KeyboardEvent>) {
      if (event.key === "Escape" && !isOpen) event.preventBaseUIHandler();
    },
    /** The field also shows the name of what is picked; only what somebody typed is looked for. */
    onInputValueChange(typed: string, { reason }: { reason: string }) {
      setText(reason === "input-change" ? typed : "");
    },
  };
}
