import type * as english from "../export.ts";
import type { Translation } from "../language/translated.ts";
import { counted, moreThanCounted, number } from "./counted.ts";

export const exportWords: Translation<typeof english.exportWords> = {
  title: "Als CSV exportieren",
  cancel: "Abbrechen",
  retry: "Erneut versuchen",
  close: "Schließen",
  cancelled: "Abgebrochen. Nichts wurde gespeichert.",
  exporting: "Wird exportiert …",
  exported: (count, forms) => `${counted(count, forms)} exportiert nach `,
  notSaved: "Nichts wurde gespeichert.",
  progressOf: "Exportiert",
  progress: (rows, total) =>
    `${number(rows)} von ${total === Number.POSITIVE_INFINITY ? moreThanCounted : number(total)}`,
  first: "Die ersten werden abgefragt",
};
