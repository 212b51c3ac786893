import type { BaseUIEvent } from "@base-ui/react/types";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { type Found, useSettled } from "./found.ts";

/** A kind of things to pick: how to identify, name and find them. */
export type Pickable<Item> = {
  readonly idOf: (item: Item) => string;
  readonly nameOf: (item: Item) => string;
  /** One of the things that were found. */
  readonly Row: (props: { item: Item; all: readonly Item[] }) => React.ReactNode;
  /** Runs only while the list is open. An empty text finds the first ones. */
  readonly useFound: (text: string, isOpen: boolean) => Found<Item>;
  /** Such as “people”. */
  readonly plural: string;
};

/**
 * The search text, whether the list is open, and the results. What is typed stays until something is picked, or until
 * Escape: neither Enter nor leaving the field loses it.
 */
export function useSearch<Item>({ useFound, idOf, nameOf }: Pickable<Item>) {
  const [isOpen, setOpen] = useState(false);
  const { text, isTyped, setText } = useTyped();
  const settled = useSettled(text);
  const searched = settled.trim();
  const answer = useFound(searched, isOpen);
  const found = {
    ...answer,
    items: sameNameFirst(answer.items, searched, nameOf),
    isAsking: answer.isAsking || settled !== text,
  };
  const awaited = useAwaited(isOpen && found.isAsking);
  /** Whether an item is highlighted, and whether the person chose it with the arrow keys since typing. */
  const highlight = useRef({ isThere: false, isChosen: false });

  function onEnter(event: BaseUIEvent<KeyboardEvent>) {
    if (!isOpen && text.trim() === "") return;
    // Otherwise it would also submit the form.
    event.preventDefault();
    const { isThere, isChosen } = highlight.current;
    if (isChosen || (isThere && !found.isAsking)) return;
    if (isOpen && text.trim() === "") return;
    event.preventBaseUIHandler();
    setOpen(true);
    if (!isOpen) return;
    if (found.error) found.retry();
    awaited.begin(event.currentTarget);
  }

  return {
    isOpen,
    text,
    /** Whether something is typed that was not picked. */
    isUnpicked: text.trim() !== "",
    found,
    /** The results and the picked things, without duplicates. */
    known: (picked: readonly Item[]) => [
      ...new Map([...picked, ...found.items].map((item) => [idOf(item), item])).values(),
    ],
    onOpenChange(open: boolean, details: { reason: string; cancel: () => void }) {
      // The list takes the answer, so it stays open.
      if (!open && awaited.isOn && hasLeft.includes(details.reason)) return details.cancel();
      if (!open && details.reason === "escape-key") setText("");
      if (!open) awaited.end();
      setOpen(open);
    },
    onItemHighlighted(item: Item | undefined, { reason }: { reason: string }) {
      highlight.current = { isThere: item !== undefined, isChosen: item !== undefined && reason === "keyboard" };
    },
    /** Escape closes the list. Pressed again, it is for the surrounding element. It never clears the field. */
    onKeyDown(event: BaseUIEvent<KeyboardEvent>) {
      if (event.key === "Escape" && !isOpen) event.preventBaseUIHandler();
      if (event.key === "Enter" && !event.nativeEvent.isComposing) onEnter(event);
    },
    /** The field also shows the name of the picked thing, but only typed text is searched. */
    onInputValueChange(
      value: string,
      details: { reason: string; isItemPress?: boolean | undefined; cancel: () => void },
    ) {
      const isTyping = details.reason === "input-change";
      const isPick = details.reason === "item-press" || details.isItemPress === true;
      if (isTyping) {
        highlight.current.isChosen = false;
        awaited.end();
        setText(value);
      } else if (isTyped() && !isPick && details.reason !== "clear-press") {
        details.cancel();
      } else setText("");
    },
  };
}

const hasLeft = ["focus-out", "outside-press"];

/** What is typed. The list closes in the same event in which something is picked, before the page is rendered again. */
function useTyped() {
  const [text, setState] = useState("");
  const now = useRef("");
  return {
    text,
    isTyped: () => now.current.trim() !== "",
    setText(typed: string) {
      now.current = typed;
      setState(typed);
    },
  };
}

/** Enter that came before the answer. Once the answer is there, it picks the best match. */
function useAwaited(isAsking: boolean) {
  const [field, setField] = useState<Element>();
  useEffect(() => {
    if (field === undefined || isAsking) return;
    setField(undefined);
    const list = document.getElementById(field.getAttribute("aria-controls") ?? "");
    const best = list?.querySelector<HTMLElement>("[role=option]");
    // Where several can be picked, another press would take it away.
    if (best?.ariaSelected !== "true" || !list?.ariaMultiSelectable) best?.click();
  }, [field, isAsking]);
  return { isOn: field !== undefined, begin: setField, end: () => setField(undefined) };
}

/** Things with exactly this name are what people mean, so they come first. */
function sameNameFirst<Item>(items: readonly Item[], text: string, nameOf: (item: Item) => string): readonly Item[] {
  const isSame = (item: Item) => nameOf(item).toLowerCase() === text.toLowerCase();
  return items.some(isSame) ? items.toSorted((one, other) => Number(isSame(other)) - Number(isSame(one))) : items;
}
