import type * as english from "../keyboard.ts";
import type { Translation } from "../language/translated.ts";

export const keyboardWords: Translation<typeof english.keyboardWords> = {
  title: "Tastenkürzel",
  close: "Schließen",
  search: "Alles durchsuchen",
  undo: "Letzte Änderung rückgängig machen",
  elsewhere: [
    ["↑ ↓ ← →", "Zwischen Zeilen der Tabelle, Zahlen zum Eingrenzen oder Säulen eines Diagramms wechseln"],
    ["Eingabe", "Zeile, Schaltfläche oder Link mit dem Fokus öffnen"],
    ["Leertaste", "Zeile auswählen, deren Kästchen den Fokus hat; mit Umschalt alle Zeilen bis zu ihr"],
    ["Esc", "Leiste, Dialog oder Liste schließen"],
    ["Tab, Umschalt Tab", "Zum nächsten oder vorigen Bedienelement"],
  ],
};
