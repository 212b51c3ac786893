import type { Translation } from "../language/translated.ts";
import type * as english from "../undo.ts";
import { assignments, number } from "./counted.ts";

export const undoWords: Translation<typeof english.undoWords> = {
  undo: "Rückgängig machen",
  undoEarlier: "Frühere Änderung rückgängig machen",
  notLatest:
    "Ihre letzte Änderung kann nicht rückgängig gemacht werden. Die Schaltfläche oben macht eine frühere rückgängig.",
  reason: (original) =>
    [...(original === "" ? "Rückgängig gemacht" : `Rückgängig gemacht: ${original}`)].slice(0, 500).join(""),
  undoOf: (label, what) => `${label}: ${what}`,
  running: (count) => `Wird rückgängig gemacht: ${assignments(count)} …`,
  done: (what) => `Rückgängig gemacht: ${what}.`,
  failedTitle: "Nicht alles konnte rückgängig gemacht werden",
  failedCount: (failed, all) =>
    all === 1
      ? "Es konnte nicht rückgängig gemacht werden."
      : `${number(failed)} von ${assignments(all)} konnten nicht rückgängig gemacht werden.`,
  failedList: "Nicht rückgängig gemacht",
  uncertain: "Unklar: Der Server hat nicht geantwortet",
  unsent: "Nicht gesendet",
  isActiveNow: "Sie wurde wieder angelegt, ist aber aktiv: Sie konnte nicht deaktiviert werden.",
  close: "Schließen",
  newIds:
    "Sie können dies rückgängig machen, solange die Konsole offen ist. Die Zuweisungen bekommen dann neue IDs, und ihre Verläufe beginnen neu.",
  final: "Sie können dies nicht rückgängig machen, weil Sie dort keine Zuweisungen anlegen dürfen.",
};
