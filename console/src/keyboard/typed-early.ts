let end = new AbortController();

/**
 * Keeps what is typed until the dialog that was asked for is loaded: it is meant for its first field, and is no shortcut.
 * Tab, Escape, a click or ten seconds mean that the person no longer waits for it.
 */
export function keepTyping(): void {
  end.abort();
  const own = new AbortController();
  end = own;
  const options = { signal: own.signal, capture: true };
  let typed = "";
  function keep(event: KeyboardEvent) {
    const { key } = event;
    if (fieldIn(event.target) || key === "Tab" || key === "Escape") return end.abort();
    // Enter would press the button again that asked for the dialog.
    const isText = key.length === 1 || key === "Backspace" || (key === "Enter" && typed !== "");
    if (!isText || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (key === "Backspace") typed = typed.slice(0, -1);
    // The key that asked for the dialog may still be held.
    else if (key !== "Enter" && !event.repeat) typed += key;
  }
  function handOver({ target }: FocusEvent) {
    const field = fieldIn(target);
    if (field === null) return;
    end.abort();
    if (typed === "") return;
    field.setRangeText(typed, 0, field.value.length, "end");
    field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: typed }));
  }
  document.addEventListener("keydown", keep, options);
  document.addEventListener("focusin", handOver, options);
  document.addEventListener("pointerdown", () => end.abort(), options);
  // It may never be there.
  setTimeout(() => own.abort(), 10_000);
}

/** The text field of a dialog. */
function fieldIn(target: EventTarget | null): HTMLInputElement | null {
  const isField = target instanceof HTMLInputElement && /^(text|search)$/.test(target.type);
  return isField && target.closest("[role=dialog]") ? target : null;
}
