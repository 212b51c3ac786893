let end = new AbortController();

/**
 * Keeps what is typed until the dialog that was asked for is loaded: it is meant for its first field, and is no shortcut.
 * Tab, Escape or a click means that the person no longer waits for it.
 */
export function keepTyping(): void {
  end.abort();
  end = new AbortController();
  const options = { signal: end.signal, capture: true };
  let typed = "";
  function keep(event: KeyboardEvent) {
    if (fieldIn(event.target) || event.key === "Tab" || event.key === "Escape") return end.abort();
    if (event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    typed += event.key;
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
}

/** The text field of a dialog. */
function fieldIn(target: EventTarget | null): HTMLInputElement | null {
  const isField = target instanceof HTMLInputElement && /^(text|search)$/.test(target.type);
  return isField && target.closest("[role=dialog]") ? target : null;
}
