import { useId, useState } from "react";
import { filterEditorWords as words } from "../../words/filter-editor.ts";
import { useProblem } from "./problem.tsx";

export type ListFieldProps = {
  label: string;
  value: readonly string[];
  problem: string | undefined;
  onChange: (value: readonly string[]) => void;
};

/** A field to type or paste a list as text. */
export function ListField({ label, value, problem, onChange }: ListFieldProps) {
  const field = useId();
  const { state, shown } = useProblem(problem, `${field}-hint`);
  const [text, setText] = useState(() => textOf(value));
  // Another field may have changed the list. The typed text is kept if it has the same meaning.
  const written = JSON.stringify(listOf(text)) === JSON.stringify(value) ? text : textOf(value);
  return (
    <div className="stack">
      <label htmlFor={field}>{label}</label>
      <textarea
        id={field}
        rows={6}
        {...state}
        autoComplete="off"
        spellCheck={false}
        value={written}
        onChange={({ target }) => {
          setText(target.value);
          onChange(listOf(target.value));
        }}
      />
      <p id={`${field}-hint`} className="hint">
        {words.listHint(value.length)}
      </p>
      {shown}
    </div>
  );
}

/** A text in quotation marks, or anything up to a comma or the end of the line. */
const piece = /[^\S\n]*"((?:[^"]|"")*)"[^\S\n]*(?=[,\n]|$)|[^,\n]+/g;

/**
 * Reads ids or keys from a text, one per line or separated by commas, and drops duplicates. One with a comma must be in
 * quotation marks, as in CSV.
 */
export function listOf(text: string): readonly string[] {
  const pieces = [...text.matchAll(piece)].map(([whole, quoted]) => quoted?.replaceAll('""', '"') ?? whole.trim());
  return [...new Set(pieces.filter((one) => one !== ""))];
}

/** Writes a list as such a text, one per line. */
export function textOf(list: readonly string[]): string {
  return list.map((one) => (/[,\n"]|^\s|\s$/.test(one) ? `"${one.replaceAll('"', '""')}"` : one)).join("\n");
}
