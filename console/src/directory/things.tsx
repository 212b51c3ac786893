import type { ReactNode } from "react";
import { pageWords } from "../words/pages.ts";

type Props = {
  /** What the table is called. */
  label: string;
  columns: readonly string[];
  /** Whether a last column has what one can do with each thing. */
  hasActions?: boolean;
  className?: string;
  /** The rows. */
  children: ReactNode;
};

/** A table of things. In a narrow window, each row is a card. */
export function Things({ label, columns, hasActions = false, className = "", children }: Props) {
  return (
    <table className={`things ${className}`} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is where it is.
            <th key={at} scope="col">
              {column}
            </th>
          ))}
          {hasActions && (
            <th scope="col" className="cell-actions">
              <span className="visually-hidden">{pageWords.actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
