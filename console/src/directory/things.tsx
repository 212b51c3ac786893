import type { ReactNode } from "react";
import { type Selection, SelectPage } from "../parts/selection.tsx";
import { rowWords } from "../words/rows.ts";

type Props<Row> = {
  /** What the table is called. */
  label: string;
  columns: readonly string[];
  className?: string;
  /** If rows can be selected, each begins with its box. */
  selection?: Selection<Row>;
  /** The rows. */
  children: ReactNode;
};

/** A table of things. In a narrow window, each row is a card. */
export function Things<Row extends { readonly id: string }>(props: Props<Row>) {
  const { label, columns, className = "", selection, children } = props;
  return (
    <table className={`things ${className}`} aria-label={label}>
      <thead>
        <tr>
          {selection && <SelectPage selection={selection} label={rowWords.selectPage} />}
          {columns.map((column, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is where it is.
            <th key={at} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
