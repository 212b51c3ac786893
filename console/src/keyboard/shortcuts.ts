import { useEffectEvent, useLayoutEffect } from "react";
import { hasSingleKeys } from "./single-keys.ts";

/** The keys of each shortcut. Those with `command` need Ctrl, or ⌘ on a Mac. */
export const shortcuts = {
  search: { key: "k", command: true },
  help: { key: "?", command: false },
  filter: { key: "/", command: false },
  create: { key: "n", command: false },
  facets: { key: "f", command: false },
  undo: { key: "z", command: true },
} as const;

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

function isPressed(name: Shortcut, event: KeyboardEvent): boolean {
  const { key, command } = shortcuts[name];
  if (event.key.toLowerCase() !== key || event.altKey || (event.ctrlKey || event.metaKey) !== command) return false;
  // With Shift, they are other shortcuts of the browser or the system, such as redo.
  if (isInDialog() || (command && event.shiftKey)) return false;
  // Undo in a text field is the browser's own.
  if (name === "search") return true;
  return !isTyping(event.target) && (command || hasSingleKeys());
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]") !== null
  );
}

function isInDialog(): boolean {
  return document.querySelector("[role=dialog], [role=alertdialog]") !== null;
}

/** Whether commands are given with ⌘ here. */
export function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
