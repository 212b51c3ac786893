import type * as english from "../keyboard.ts";
import type { Translation } from "../language/translated.ts";

export const keyboardWords: Translation<typeof english.keyboardWords> = {
  title: "Tastenkürzel",
  key: "Taste",
  does: "Was sie tut",
  single: "Kürzel mit einer einzelnen Taste verwenden",
  singleHint: "Schalten Sie diese Kürzel aus, wenn Sie diktieren oder Ihre Tastatur sie versehentlich auslöst.",
  close: "Schließen",
  shortcuts: {
    search: "Alles durchsuchen",
    help: "Diese Kürzel anzeigen",
    filter: "Personen der Tabelle suchen",
    create: "Neue Zuweisung",
    undo: "Letzte Änderung rückgängig machen",
    facets: "Zahlen zum Eingrenzen ein- oder ausblenden",
  },
  elsewhere: {
    arrows: "Zwischen Zeilen der Tabelle, Zahlen zum Eingrenzen oder Säulen eines Diagramms wechseln",
    enter: "Zeile, Schaltfläche oder Link mit dem Fokus öffnen",
    space: "Zeile auswählen, deren Kästchen den Fokus hat; mit Umschalt alle Zeilen bis zu ihr",
    escape: "Leiste, Dialog oder Liste schließen",
    tab: "Zum nächsten oder vorigen Bedienelement",
  },
  keys: {
    arrows: "↑ ↓ ← →",
    enter: "Eingabe",
    space: "Leertaste",
    escape: "Esc",
    tab: "Tab, Umschalt Tab",
  },
};
