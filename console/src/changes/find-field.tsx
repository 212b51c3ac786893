import { type ReactNode, useId } from "react";

type Props = { label: string; text: string; onChange: (text: string) => void; children: ReactNode };

/** A field that narrows down choices, and what is found. */
export function FindField({ label, text, onChange, children }: Props) {
  const field = useId();
  return (
    <div className="line">
      <label htmlFor={field}>{label}</label>
      <input
        id={field}
        type="search"
        value={text}
        onChange={({ target }) => onChange(target.value)}
        // A search is no decision: Enter must not send the form.
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      <span className="muted" role="status">
        {children}
      </span>
    </div>
  );
}
