import { useId } from "react";
import { filterWords } from "../../words/filters.ts";
import { Problem } from "./problem.tsx";

const words = filterWords.editor;

export type IdFieldProps = {
  label: string;
  id: string;
  problem: string | undefined;
  onChange: (id: string) => void;
};

/** A field for a plain id, for things that the caller does not see or that were removed. */
export function IdField({ label, id, problem, onChange }: IdFieldProps) {
  const field = useId();
  return (
    <div className="stack">
      <label htmlFor={field}>{words.idOf(label)}</label>
      <input
        id={field}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={problem === undefined ? undefined : `${field}-problem`}
        autoComplete="off"
        spellCheck={false}
        value={id}
        onChange={({ target }) => onChange(target.value)}
      />
      <Problem id={`${field}-problem`} text={problem} />
    </div>
  );
}
