import type { BaseUIEvent } from "@base-ui/react/types";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { type Found, useEarlyEnter, useSettled } from "./found.ts";

/** A kind of things to pick: how to identify, name and find them. */
export type Pickable<Item> = {
  readonly idOf: (item: Item) => string;
  readonly nameOf: (item: Item) => string;
  /** One of the things that were found. */
  readonly Row: (props: { item: Item; all: readonly Item[] }) => ReactNode;
  /** What distinguishes the picked thing from others with the same name. */
  readonly hintOf?: (item: Item) => ReactNode;
  /** Runs only while the list is open. An empty text finds the first ones. */
  readonly useFound: (text: string, isOpen: boolean) => Found<Item>;
  /** Such as “people”. */
  readonly plural: string;
};

/**
 * What is typed, whether the list is open, and the results. What is typed stays until something is picked, or until
 * Escape: neither Enter nor leaving the field loses it.
 */
export function useSearch<Item>({ useFound }: Pickable<Item>, pick: (item: Item) => void) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const settled = useSettled(text);
  const answer = useFound(settled.trim(), isOpen);
  const found = { ...answer, isAsking: answer.isAsking || settled !== text };
  const { isAwaited, setAwaited } = useEarlyEnter(isOpen && found.isAsking, () => {
    const [best] = found.items;
    if (best === undefined) return;
    pick(best);
    setText("");
    setOpen(false);
  });
  /** Whether an item is highlighted, and whether the person chose it with the arrow keys since typing. */
  const highlight = useRef({ isThere: false, isChosen: false });

  function onEnter(event: BaseUIEvent<KeyboardEvent>) {
    if (!isOpen && text.trim() === "") return;
    // Otherwise it would also submit the form.
    event.preventDefault();
    const { isThere, isChosen } = highlight.current;
    if (isChosen || (isThere && !found.isAsking) || (isOpen && text.trim() === "")) return;
    event.preventBaseUIHandler();
    if (!isOpen) return setOpen(true);
    if (found.error) found.retry();
    setAwaited(true);
  }

  return {
    text,
    found,
    combobox: {
      inputValue: text,
      open: isOpen,
      onOpenChange(open: boolean, { reason }: { reason: string }) {
        // The list takes the answer, so it stays open.
        if (isAwaited && (reason === "focus-out" || reason === "outside-press")) return;
        if (reason === "escape-key" || reason === "item-press") setText("");
        setAwaited(false);
        setOpen(open);
      },
      onItemHighlighted(item: Item | undefined, { reason }: { reason: string }) {
        highlight.current = { isThere: item !== undefined, isChosen: item !== undefined && reason === "keyboard" };
      },
      /** Base UI would also change it when the list closes. */
      onInputValueChange(typed: string, { reason }: { reason: string }) {
        if (reason !== "input-change" && reason !== "clear-press") return;
        highlight.current.isChosen = false;
        setAwaited(false);
        setText(typed);
      },
    },
    /** Escape closes the list. Pressed again, it is for the surrounding element. It never clears the field. */
    onKeyDown(event: BaseUIEvent<KeyboardEvent>) {
      if (event.key === "Escape" && !isOpen) event.preventBaseUIHandler();
      if (event.key === "Enter" && !event.nativeEvent.isComposing) onEnter(event);
    },
  };
}
