import "../changes/changes.css";
import "./add-people.css";
import type { ConnectError } from "@connectrpc/connect";
import { type ReactNode, useId } from "react";
import { Things } from "../directory/things.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { useMore } from "../parts/use-more.tsx";
import { addPeopleWords as words } from "../words/add-people.ts";
import { locale } from "../words/language/language.ts";
import { useLeaveQuestion } from "./use-leave-question.ts";

/** A list as it was typed or pasted, and what the reader says its columns are. */
export type List<Column extends string> = { readonly text: string; readonly columns: readonly Column[] };

/** A line of the list, and what becomes of it. */
type Previewed = {
  readonly number: number;
  readonly cells: readonly string[];
  /** Undefined until the service has answered. */
  readonly result: string | undefined;
  readonly isBad: boolean;
};

type Props<Column extends string> = {
  says: {
    readonly none: string;
    readonly found: (count: number) => string;
    readonly problemsFound: (count: number) => string;
    readonly list: string;
    readonly hint: string;
    readonly example: string;
    /** What is asked before the list is lost. */
    readonly leave: string;
    /** Everything that a column can have. */
    readonly columns: Readonly<Record<Column, string>>;
  };
  list: List<Column>;
  onList: (list: List<Column>) => void;
  /** What the columns have. */
  columns: readonly Column[];
  heads: readonly string[];
  lines: readonly Previewed[];
  check: { readonly error: ConnectError | null; readonly refetch: () => unknown };
  send: { readonly label: string; readonly isReady: boolean; readonly run: () => void };
  /** What else there is to decide. */
  children: ReactNode;
};

/** A list that is typed, pasted, or read from a file, with a preview that shows what each line becomes. */
export function ListForm<Column extends string>(props: Props<Column>) {
  const { says, list, onList, columns, heads, lines, check, send, children } = props;
  const field = useId();
  useLeaveQuestion(list.text.trim() !== "", says.leave);
  const change = (text: string) => onList({ text, columns: text === "" ? [] : list.columns });
  return (
    <form
      className="stack people-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (send.isReady) send.run();
      }}
    >
      <div className="field">
        <label htmlFor={field}>{says.list}</label>
        <textarea
          id={field}
          // biome-ignore lint/a11y/noAutofocus: it is what the person came for.
          autoFocus
          rows={8}
          value={list.text}
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
      {columns.length > 1 && (
        <fieldset className="line column-choices">
          <legend>{words.columnsTitle}</legend>
          {columns.map((column, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is where it is.
            <label key={at}>
              {words.column(at + 1)}
              <select
                value={column}
                onChange={({ target }) => onList({ ...list, columns: columns.with(at, target.value as Column) })}
              >
                {(Object.keys(says.columns) as Column[]).map((value) => (
                  <option key={value} value={value}>
                    {says.columns[value]}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </fieldset>
      )}
      <Preview says={says} heads={heads} lines={lines} />
      {check.error && <FailureNotice error={check.error} onRetry={() => void check.refetch()} />}
      {children}
      <div className="page-actions">
        <button type="submit" className="primary" aria-disabled={!send.isReady}>
          {send.label}
        </button>
      </div>
    </form>
  );
}

/** What each line becomes. Those with problems come first. */
function Preview({ heads, lines, says }: Pick<Props<never>, "heads" | "lines" | "says">) {
  const bad = lines.filter(({ isBad }) => isBad);
  const [shown, more] = useMore([...bad, ...lines.filter(({ isBad }) => !isBad)]);
  return (
    <>
      <p role="status">
        {lines.length === 0 ? says.none : says.found(lines.length)}
        {bad.length > 0 && `, ${says.problemsFound(bad.length)}`}
        {lines.some(({ result }) => result === undefined) && `. ${words.checking}`}
      </p>
      {lines.length > 0 && (
        <Things className="preview" label={words.preview} columns={[words.line, ...heads, words.state]}>
          {shown.map(({ number, cells: [first, ...cells], result = words.checking, isBad }) => (
            <tr key={number} data-problem={isBad || undefined}>
              <td>{number.toLocaleString(locale)}</td>
              <th scope="row">
                <bdi>{first}</bdi>
              </th>
              {cells.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is where it is.
                <td key={at}>
                  <bdi>{cell}</bdi>
                </td>
              ))}
              <td>{result}</td>
            </tr>
          ))}
        </Things>
      )}
      {more}
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
