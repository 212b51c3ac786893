import type * as english from "../export.ts";
import type { Translation } from "../language/translated.ts";
import { counted, moreThanCounted, number } from "./counted.ts";

export const exportWords: Translation<typeof english.exportWords> = {
  title: "Als CSV exportieren",
  cancel: "Abbrechen",
  retry: "Erneut versuchen",
  export: "Exportieren",
  close: "Schließen",
  cancelled: "Abgebrochen. Nichts wurde gespeichert.",
  exporting: "Wird exportiert …",
  exported: (count, forms) => `${counted(count, forms)} exportiert nach `,
  failed: (title) => `${title}. Nichts wurde gespeichert.`,
  progressOf: "Exportiert",
  progress: (rows, total) =>
    `${number(rows)} von ${total === Number.POSITIVE_INFINITY ? moreThanCounted : number(total)}`,
  first: "Die ersten werden abgefragt",
  assignments: {
    promises: (moved) => [
      "Alle Seiten der Tabelle, mit ihren Filtern und in ihrer Reihenfolge. Alle Spalten, auch ausgeblendete.",
      `Die Liste kann sich ändern, während sie gelesen wird. Jede Zuweisung steht einmal in der Datei, so wie sie war, als ihre Seite gelesen wurde. Wird eine inzwischen angelegt, gelöscht oder so geändert, dass sie nun anders zu den Filtern passt, kann sie fehlen.${
        moved === undefined ? "" : ` Bei dieser Sortierung kann eine, ${moved}, fehlen oder doppelt vorkommen.`
      }`,
      "Zeiten stehen in UTC. Vor Texten, die ein Tabellenprogramm berechnen würde, steht ein Apostroph.",
    ],
    moves: {
      changed: "die inzwischen geändert wird",
      user: "deren Person inzwischen umbenannt wird",
      project: "deren Projekt inzwischen umbenannt wird",
      organization: "deren Organisation inzwischen umbenannt wird",
      "user-organization": "deren Person inzwischen in eine andere Organisation verschoben wird",
    },
  },
};
