import { useState } from "react";
import { panelWords as words } from "../words/panel.ts";

/** Copies a text to the clipboard, if the browser allows it, which it doesn't over plain HTTP from another machine. */
export function CopyButton({ text, what, label }: { text: string; what: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  if (!navigator.clipboard) return null;

  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  }

  return (
    <>
      <button
        type="button"
        className="plain copy"
        aria-label={label ? undefined : words.copyOf(what)}
        onClick={() => void copy()}
        onBlur={() => setCopied(false)}
      >
        {isCopied ? words.copied : (label ?? words.copy)}
      </button>
      <span className="visually-hidden" aria-live="polite">
        {isCopied && words.copiedOf(what)}
      </span>
    </>
  );
}
