import type { ReactNode } from "react";
import { SelectPage } from "../assignments/select-page.tsx";
import { rowWords } from "../words/rows.ts";
import type { Selection } from "./selection.tsx";

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
          {selection && (
            <th scope="col" className="cell-check">
              <SelectPage {...selection}>
                <span className="visually-hidden">{rowWords.selectPage}</span>
              </SelectPage>
            </th>
          )}
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
