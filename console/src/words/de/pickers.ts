import type { Translation } from "../language/translated.ts";
import type * as english from "../pickers.ts";

export const pickerWords: Translation<typeof english.pickerWords> = {
  kinds: { users: "Personen", projects: "Projekte", organizations: "Organisationen" },
  search: (plural) => `${plural} suchen`,
  clear: (label) => `${label} leeren`,
  remove: (name) => `${name} entfernen`,
  found: (plural) => `Gefundene ${plural}`,
  picked: "Ausgewählt",
  unpicked: "Noch ist nichts ausgewählt. Wählen Sie aus der Liste, oder leeren Sie das Feld.",
  pickedOf: (plural) => `Ausgewählte ${plural}`,
  searching: "Suche läuft …",
  failed: (title, advice) => `${title}. ${advice}`,
  none: (plural) => `Es gibt keine ${plural} zur Auswahl.`,
  noMatch: (plural, text) => `Keine ${plural} passen zu „${text}“.`,
  more: (plural) => `Es gibt weitere ${plural}. Geben Sie mehr vom Namen ein, um andere zu finden.`,
};
