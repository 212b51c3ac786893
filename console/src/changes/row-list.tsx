import { useMore } from "../parts/use-more.tsx";
import { type ListedRow, placeName, userName } from "./assignment-name.ts";

/** Assignments by name and place, each with a remark. */
export function RowList({ label, rows }: { label: string; rows: readonly ListedRow[] }) {
  const [shown, more] = useMore(rows);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    <section className="row-list" aria-label={label} tabIndex={0}>
      <ul className="lines">
        {shown.map(({ row, text, isBad }) => (
          <li key={row.id} data-bad={isBad || undefined}>
            <bdi>{userName(row)}</bdi> <span className="muted">{placeName(row)}</span>
            <div>{text}</div>
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}
