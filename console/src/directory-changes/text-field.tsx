import { useId, useState } from "react";
import { longestText } from "../pickers/found.ts";

type Props = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: string | undefined;
  longest?: number;
  isRequired?: boolean;
};

export function TextField(props: Props) {
  const { label, value, onChange, hint, longest = longestText, isRequired = false } = props;
  const field = useId();
  return (
    <div className="field">
      <label htmlFor={field}>{label}</label>
      <input
        id={field}
        value={value}
        maxLength={longest}
        autoComplete="off"
        required={isRequired}
        aria-describedby={hint && `${field}-hint`}
        onChange={({ target }) => onChange(target.value)}
      />
      {hint && (
        <span id={`${field}-hint`} className="hint">
          {hint}
        </span>
      )}
    </div>
  );
}

/** The fields of a form. Each has what is suggested, which may still be loading, until something is typed or picked. */
export function useFields<Values extends object>(suggested: Values) {
  const [changed, setChanged] = useState<Partial<Values>>({});
  const values: Values = { ...suggested, ...changed };
  const field = <Name extends keyof Values>(name: Name) => ({
    value: values[name],
    onChange: (value: Values[Name]) => setChanged((now) => ({ ...now, [name]: value })),
  });
  return { values, field };
}
