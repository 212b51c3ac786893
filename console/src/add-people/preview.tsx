import { Things } from "../directory/things.tsx";
import { useMore } from "../parts/use-more.tsx";
import { addPeopleWords } from "../words/add-people.ts";
import { locale } from "../words/language/language.ts";

/** A line of the list, and what becomes of it. */
export type Previewed = {
  readonly number: number;
  readonly cells: readonly string[];
  /** Undefined until the service has answered. */
  readonly result: string | undefined;
  readonly isBad: boolean;
};

export type PreviewWords = {
  readonly none: string;
  readonly found: (count: number) => string;
  readonly problemsFound: (count: number) => string;
};

type Props = { heads: readonly string[]; lines: readonly Previewed[]; says: PreviewWords };

/** What each line becomes. Those with problems come first. */
export function Preview({ heads, lines, says }: Props) {
  const { checking, line, preview, state } = addPeopleWords;
  const bad = lines.filter(({ isBad }) => isBad);
  const [shown, more] = useMore([...bad, ...lines.filter(({ isBad }) => !isBad)]);
  return (
    <>
      <p role="status">
        {lines.length === 0 ? says.none : says.found(lines.length)}
        {bad.length > 0 && `, ${says.problemsFound(bad.length)}`}
        {lines.some(({ result }) => result === undefined) && `. ${checking}`}
      </p>
      {lines.length > 0 && (
        <Things className="preview" label={preview} columns={[line, ...heads, state]}>
          {shown.map(({ number, cells: [first, ...cells], result = checking, isBad }) => (
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
