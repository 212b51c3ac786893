import { useId } from "react";
import { longestText } from "../pickers/found.ts";

type Props = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: string;
  /** Texts to choose from. Others can be typed as well. */
  suggestions?: readonly string[];
  longest?: number;
  isRequired?: boolean;
  /** Whether it takes the focus when it appears. */
  isFirst?: boolean;
};

export function TextField({
  label,
  value,
  onChange,
  hint,
  suggestions,
  longest = longestText,
  isRequired,
  isFirst,
}: Props) {
  const field = useId();
  return (
    <div className="field">
      <label htmlFor={field}>{label}</label>
      <input
        id={field}
        value={value}
        maxLength={longest}
        autoComplete="off"
        required={isRequired ?? false}
        // biome-ignore lint/a11y/noAutofocus: it is what the person came for.
        autoFocus={isFirst ?? false}
        aria-describedby={hint === undefined ? undefined : `${field}-hint`}
        list={suggestions && `${field}-suggestions`}
        onChange={({ target }) => onChange(target.value)}
      />
      {suggestions && (
        <datalist id={`${field}-suggestions`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
      {hint !== undefined && (
        <span id={`${field}-hint`} className="hint">
          {hint}
        </span>
      )}
    </div>
  );
}
