import { useState } from "react";
import { TextField } from "../directory-changes/text-field.tsx";
import { settings } from "../settings.ts";
import { reasonWords as words } from "../words/reason.ts";

/** The longest reason that the service accepts. */
export const longestReason = 500;

/** Why a change is made: what was typed, before or here, whether it is still needed, and the field for it. */
export function useReason(before = "") {
  const [text, setText] = useState(before);
  return {
    text,
    isMissing: settings.isReasonRequired && text.trim() === "",
    field: <ReasonField text={text} onChange={setText} />,
  };
}

/** Behind a button, unless the server requires a reason: most changes speak for themselves. */
function ReasonField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const [isAdded, setAdded] = useState(false);
  // What is sent is never hidden.
  if (!isAdded && text === "" && !settings.isReasonRequired) {
    return (
      <div>
        <button type="button" className="plain first-plain" onClick={() => setAdded(true)}>
          {words.add}
        </button>
      </div>
    );
  }
  return (
    <div {...(isAdded && { ref: focusField })}>
      <TextField
        label={settings.isReasonRequired ? words.required : words.optional}
        value={text}
        onChange={onChange}
        longest={longestReason}
        isRequired={settings.isReasonRequired}
      />
    </div>
  );
}

function focusField(place: HTMLElement | null): void {
  place?.querySelector("input")?.focus();
}
