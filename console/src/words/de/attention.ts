import type * as english from "../attention.ts";
import type { Translation } from "../language/translated.ts";
import { counted } from "./counted.ts";

export const attentionWords: Translation<typeof english.attentionWords> = {
  title: "Handlungsbedarf",
  nothing: "Kein Handlungsbedarf.",
  unchecked: "Nicht alles konnte geprüft werden.",
  withoutOwner: (count) => `${counted(count, ["Organisation hat", "Organisationen haben"])} keine Vollverwaltung:`,
  more: (count) => `und ${counted(count, ["weitere", "weitere"])}`,
  withoutRoles: (count) => `${counted(count, ["Zuweisung hat", "Zuweisungen haben"])} keine Rollen`,
  ending: (count) => `${counted(count, ["Zuweisung läuft", "Zuweisungen laufen"])} in den nächsten 7 Tagen ab`,
  tokens: (count) => `${counted(count, ["Ihrer Token läuft", "Ihrer Token laufen"])} in den nächsten 14 Tagen ab`,
  changes: (count) => `${counted(count, ["Änderung", "Änderungen"])} seit Ihrem letzten Besuch`,
};
