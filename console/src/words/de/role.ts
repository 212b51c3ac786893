import type { Translation } from "../language/translated.ts";
import type * as english from "../role.ts";
import { counted } from "./counted.ts";

export const roleWords: Translation<typeof english.roleWords> = {
  kind: "Rolle",
  notFound: "Diese Rolle ist nicht zu finden",
  notFoundAdvice: "Die Rolle wurde entfernt, oder Sie dürfen ihr Projekt nicht sehen.",
  facts: { key: "Schlüssel", group: "Gruppe", description: "Was sie erlaubt", grants: "Freigegeben für" },
  keyOf: "Schlüssel dieser Rolle",
  toNone: "keine sichtbare Organisation",
  holders: "Wer sie hat",
  owned: "eigenes Projekt der Organisation",
  throughGrant: (owner) => `Freigabe von ${owner}`,
  none: "Niemand hat sie, soweit Sie sehen können.",
  inTable: (count) => `${counted(count, ["Zuweisung", "Zuweisungen"])} in der Tabelle anzeigen`,
};
