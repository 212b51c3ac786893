import { useEffectEvent, useLayoutEffect } from "react";
import { partWords } from "../words/parts.ts";

/** The key of each shortcut, with Ctrl, or ⌘ on a Mac. A key alone would be in the way of people who dictate (WCAG 2.1.4). */
const shortcuts = { search: "k", undo: "z" } as const;

export type Shortcut = keyof typeof shortcuts;

/** Runs something when its keys are pressed, unless the keys are meant for a text field or for an open dialog. */
export function useShortcut(name: Shortcut, run: () => void, isOn = true): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isPressed(name, event) || event.defaultPrevented || event.repeat) return;
    event.preventDefault();
    run();
  });
  // Before the paint: a shortcut works as soon as its button is visible.
  useLayoutEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [isOn]);
}

function isPressed(name: Shortcut, { key, altKey, shiftKey, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  // With Shift, they are other shortcuts of the browser or the system, such as redo.
  if (key.toLowerCase() !== shortcuts[name] || altKey || shiftKey || !(ctrlKey || metaKey)) return false;
  if (document.querySelector("[role=dialog], [role=alertdialog]") !== null) return false;
  // Undo in a text field is the browser's own.
  return name !== "undo" || !(target instanceof Element && target.closest(textFields) !== null);
}

const textFields = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]";

/** The keys of a shortcut, as they are written on the reader's keyboard. */
export function keysOf(name: Shortcut): string {
  const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
  return `${isMac ? "⌘" : partWords.control} ${shortcuts[name].toUpperCase()}`;
}
