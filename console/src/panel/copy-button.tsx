import { useState } from "react";

/** Puts a text on the clipboard, where the browser lets pages do so: not over plain HTTP from another machine. */
export function CopyButton({ text, what }: { text: string; what: string }) {
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
        aria-label={`Copy ${what}`}
        onClick={() => void copy()}
        onBlur={() => setCopied(false)}
      >
        {isCopied ? "Copied" : "Copy"}
      </button>
      <span className="visually-hidden" aria-live="polite">
        {isCopied && `Copied ${what}`}
      </span>
    </>
  );
}
