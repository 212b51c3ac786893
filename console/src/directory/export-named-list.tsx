import { ExportButton } from "../export/export-button.tsx";
import type { Exported } from "../export/export-list.ts";
import { rowWords } from "../words/rows.ts";

const words = rowWords.export;

/** What a file with a list has. */
export type ListFile<Row> = {
  readonly file: keyof typeof words;
  /** The words for one row and for several. */
  readonly of: Exported["of"];
  readonly lineOf: (row: Row) => readonly string[];
};

type Props<Row> = {
  list: ListFile<Row>;
  rows: Exported["rows"];
  /** Whether these are some rows, instead of the whole list. */
  isPart?: boolean;
};

/** Exports a list of people, projects or organizations, or some of its rows. */
export function ExportNamedList<Row>({ list: { file, of }, rows, isPart = false }: Props<Row>) {
  const { file: name, columns: header } = words[file];
  return (
    <ExportButton
      label={isPart ? rowWords.exportSelected : undefined}
      exported={() => ({ file: name, of, header, rows })}
    />
  );
}
