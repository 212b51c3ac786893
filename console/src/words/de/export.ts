import type * as english from "../export.ts";
import type { Translation } from "../language/translated.ts";
import { counted, moreThanCounted, number } from "./counted.ts";

export const exportWords: Translation<typeof english.exportWords> = {
  title: "Als CSV exportieren",
  retry: "Erneut versuchen",
  exporting: "Wird exportiert …",
  exported: (count, forms, file) => `${counted(count, forms)} exportiert nach ${file}.`,
  notSaved: "Nichts wurde gespeichert.",
  progressOf: "Exportiert",
  progress: (rows, total) =>
    `${number(rows)} von ${total === Number.POSITIVE_INFINITY ? moreThanCounted : number(total)}`,
  first: "Die ersten werden abgefragt",
};
