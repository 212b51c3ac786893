import { useId, useState } from "react";
import { filterWords } from "../../words/filters.ts";
import { listOf, textOf } from "./list-text.ts";
import { Problem } from "./problem.tsx";

const words = filterWords.editor;

export type ListFieldProps = {
  label: string;
  list: readonly string[];
  problem: string | undefined;
  onChange: (list: readonly string[]) => void;
};

/** A field to type or paste a list as text. */
export function ListField({ label, list, problem, onChange }: ListFieldProps) {
  const field = useId();
  const [text, setText] = useState(() => textOf(list));
  // Another field may have changed the list. The typed text is kept if it has the same meaning.
  const written = isSame(listOf(text), list) ? text : textOf(list);
  return (
    <div className="stack">
      <label htmlFor={field}>{label}</label>
      <textarea
        id={field}
        rows={6}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={`${field}-hint ${field}-problem`}
        autoComplete="off"
        spellCheck={false}
        value={written}
        onChange={({ target }) => {
          setText(target.value);
          onChange(listOf(target.value));
        }}
      />
      <p id={`${field}-hint`} className="hint">
        {words.listHint(list.length)}
      </p>
      <Problem id={`${field}-problem`} text={problem} />
    </div>
  );
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, place) => item === other[place]);
}
