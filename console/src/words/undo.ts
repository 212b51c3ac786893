import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";

const number = new Intl.NumberFormat(locale);

function assignments(count: number): string {
  return `${number.format(count)} ${count === 1 ? "assignment" : "assignments"}`;
}

/** The words of undoing changes. */
export const undoWords = translated("undoWords", {
  undo: "Undo",
  undoEarlier: "Undo an earlier change",
  notLatest: "Your last change can't be undone. The button at the top undoes an earlier one.",
  /** What the history says about undoing a change. The service keeps 500 characters. */
  reason: (original: string) => [...(original === "" ? "Undo" : `Undo: ${original}`)].slice(0, 500).join(""),
  undoOf: (label: string, what: string) => `${label}: ${what}`,
  running: (count: number) => `Undoing ${assignments(count)}…`,
  done: (what: string) => `Undone: ${what}.`,
  failedTitle: "Not everything could be undone",
  failedCount: (failed: number, all: number) =>
    all === 1 ? "It could not be undone." : `${number.format(failed)} of ${assignments(all)} could not be undone.`,
  failedList: "Not undone",
  uncertain: "Unknown: the server did not answer",
  unsent: "Not sent",
  isActiveNow: "It was created again, but it is active: it could not be deactivated.",
  close: "Close",
  /** Before something is deleted. */
  newIds:
    "You can undo this while the console is open. The assignments then get new ids, and their histories start again.",
  final: "You can't undo this, because you may not create assignments there.",
} as const);
