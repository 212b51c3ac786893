import type { BaseUIEvent } from "@base-ui/react/types";
import { type KeyboardEvent, useState } from "react";
import { type Found, useSettled } from "./found.ts";

/** A kind of things to pick: how to identify, name and find them. */
export type Pickable<Item> = {
  readonly idOf: (item: Item) => string;
  readonly nameOf: (item: Item) => string;
  readonly Row: (props: { item: Item }) => React.ReactNode;
  /** Runs only while the list is open. An empty text finds the first ones. */
  readonly useFound: (text: string, isOpen: boolean) => Found<Item>;
  /** Such as “users”. */
  readonly plural: string;
};

/** The search text, whether the list is open, and the results. */
export function useSearch<Item>({ useFound, idOf }: Pickable<Item>) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const settled = useSettled(text);
  const found = useFound(settled.trim(), isOpen);
  return {
    isOpen,
    text,
    found: { ...found, isAsking: found.isAsking || settled !== text },
    /** The results and the picked things, without duplicates. */
    known: (picked: readonly Item[]) => [
      ...new Map([...picked, ...found.items].map((item) => [idOf(item), item])).values(),
    ],
    onOpenChange(open: boolean) {
      setOpen(open);
      if (!open) setText("");
    },
    /** Escape closes the list. Pressed again, it is for the surrounding element. It never clears the field. */
    onKeyDown(event: BaseUIEvent<KeyboardEvent>) {
      if (event.key === "Escape" && !isOpen) event.preventBaseUIHandler();
    },
    /** The field also shows the name of the picked thing, but only typed text is searched. */
    onInputValueChange(typed: string, { reason }: { reason: string }) {
      setText(reason === "input-change" ? typed : "");
    },
  };
}
