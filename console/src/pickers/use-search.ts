import { useState } from "react";
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
export function useSearch<Item>({ useFound }: Pickable<Item>) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const settled = useSettled(text);
  const found = useFound(settled.trim(), isOpen);
  return {
    isOpen,
    text,
    found: { ...found, isAsking: found.isAsking || settled !== text },
    onOpenChange(open: boolean) {
      setOpen(open);
      if (!open) setText("");
    },
    /** The field also shows the name of what is picked; only what somebody typed is looked for. */
    onInputValueChange(typed: string, { reason }: { reason: string }) {
      setText(reason === "input-change" ? typed : "");
    },
  };
}
