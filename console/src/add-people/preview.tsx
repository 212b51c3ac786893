import { useState } from "react";
import { addPeopleWords as words } from "../words/add-people.ts";
import { locale } from "../words/language/language.ts";
import type { Line } from "./lines.ts";

/** How many rows are rendered at once. */
const atOnce = 100;

type Props = {
  lines: readonly Line[];
  /** What the service minds, by the number of the line; undefined until it has answered. */
  problems: ReadonlyMap<number, string> | undefined;
};

/** What each line becomes. In a long list, lines with problems come first. */
export function Preview({ lines, problems }: Props) {
  const [most, setMost] = useState(atOnce);
  const told = lines.map((line) => ({ ...line, problem: line.problem ?? problems?.get(line.number) }));
  const bad = told.filter(({ problem }) => problem !== undefined);
  const rows = lines.length > atOnce ? [...bad, ...told.filter(({ problem }) => problem === undefined)] : told;
  return (
    <>
      <p role="status">
        {lines.length === 0 ? words.none : words.found(lines.length)}
        {bad.length > 0 && `, ${words.problemsFound(bad.length)}`}
        {lines.length > 0 && problems === undefined && bad.length < lines.length && `. ${words.checking}`}
      </p>
      {lines.length > 0 && (
        <table className="things preview" aria-label={words.preview}>
          <thead>
            <tr>
              <th scope="col">{words.line}</th>
              <th scope="col">{words.columns.displayName}</th>
              <th scope="col">{words.columns.loginName}</th>
              <th scope="col">{words.state}</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map(({ number, person, hasOwnId, problem }) => (
              <tr key={number} data-problem={problem !== undefined || undefined}>
                <td>{number.toLocaleString(locale)}</td>
                <th scope="row">
                  <bdi>{person.displayName}</bdi>
                </th>
                <td>
                  <bdi>{person.preferredLoginName}</bdi>
                </td>
                <td>
                  {problem ?? (problems === undefined ? words.checking : words.ready)}
                  {hasOwnId && problem === undefined && <span className="muted"> ({words.idGiven})</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows.length > most && (
        <button type="button" onClick={() => setMost(most + atOnce)}>
          {words.showMore(rows.length - most)}
        </button>
      )}
    </>
  );
}
