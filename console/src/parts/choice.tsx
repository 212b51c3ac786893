type Props<Value extends string | number> = {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, text: string])[];
  onChange: (value: Value) => void;
};

/** One of several values, from a list that opens. */
export function Choice<Value extends string | number>({ label, value, options, onChange }: Props<Value>) {
  return (
    <label className="line choice">
      {label}
      <select
        value={value}
        onChange={({ target }) => {
          const chosen = options[target.selectedIndex];
          if (chosen) onChange(chosen[0]);
        }}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
