import { moreThanCounted } from "./counted.ts";
import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";

const number = new Intl.NumberFormat(locale);

/** The words of the dialog that exports a list, and of the file with assignments. */
export const exportWords = translated("exportWords", {
  title: "Export as CSV",
  retry: "Try again",
  exporting: "Exporting…",
  exported: (count: number, [one, several]: readonly [string, string], file: string) =>
    `${number.format(count)} ${count === 1 ? one : several} exported to ${file}.`,
  notSaved: "Nothing was saved.",
  progressOf: "Exported",
  progress: (rows: number, total: number) =>
    `${number.format(rows)} of ${total === Number.POSITIVE_INFINITY ? moreThanCounted : number.format(total)}`,
  first: "Asking for the first",
} as const);
