import { useId } from "react";
import { addPeopleWords as words } from "../words/add-people.ts";
import { ColumnChoices } from "./column-choices.tsx";

type Props<Column extends string> = {
  label: string;
  hint: string;
  example: string;
  text: string;
  columns: readonly Column[];
  names: Readonly<Record<Column, string>>;
  onText: (text: string) => void;
  /** Called with what the columns have, once the reader has said it. */
  onColumns: (columns: readonly Column[]) => void;
};

/** A list that is typed, pasted, or read from a file, and what its columns have. */
export function ListField<Column extends string>({ text, columns, names, onText, onColumns, ...says }: Props<Column>) {
  const field = useId();
  const change = (next: string) => {
    onText(next);
    if (next === "") onColumns([]);
  };
  return (
    <>
      <div className="field">
        <label htmlFor={field}>{says.label}</label>
        <textarea
          id={field}
          // biome-ignore lint/a11y/noAutofocus: it is what the person came for.
          autoFocus
          rows={8}
          value={text}
          placeholder={says.example}
          spellCheck={false}
          aria-describedby={`${field}-hint`}
          onChange={({ target }) => change(target.value)}
        />
        <span id={`${field}-hint`} className="hint">
          {says.hint}
        </span>
      </div>
      <label className="list-file">
        {words.file}{" "}
        <input
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          onChange={({ target }) => void target.files?.[0]?.arrayBuffer().then((bytes) => change(decoded(bytes)))}
        />
      </label>
      {columns.length > 1 && <ColumnChoices columns={columns} names={names} onChange={onColumns} />}
    </>
  );
}

/** Spreadsheets still write the old encoding of Windows. */
function decoded(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
