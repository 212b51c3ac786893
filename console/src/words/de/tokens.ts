import type { Translation } from "../language/translated.ts";
import type * as english from "../tokens.ts";
import { counted } from "./counted.ts";

export const tokenWords: Translation<typeof english.tokenWords> = {
  title: "Token",
  own: "Ihre Token",
  notListed: (count) => `${counted(count, ["weiteres Token ist", "weitere Tokens sind"])} nicht aufgeführt.`,
  none: "Keine Token.",
  unnamed: "Ohne Namen",
  current: "(damit sind Sie angemeldet)",
  created: "Erstellt",
  used: "Zuletzt verwendet",
  never: "nie",
  now: "jetzt",
  create: "Token erstellen",
  uncertain: "Der Server hat nicht geantwortet. Sehen Sie in der Liste der Token nach, bevor Sie es erneut versuchen.",
  createTitle: "Token erstellen",
  name: "Name",
  nameHint: "Wofür das Token ist, damit Sie es später erkennen.",
  lifetime: "Gültig für",
  asLongAsYours: "Bis das Token abläuft, mit dem Sie angemeldet sind",
  shorterThanYours: "Ein Token, das Sie erstellen, läuft spätestens mit dem ab, mit dem Sie angemeldet sind.",
  createdTitle: (isOwn) => (isOwn ? "Ihr neues Token" : "Das neue Token"),
  onlyNow: "Kopieren Sie das Token jetzt. Es wird nicht gespeichert, und Sie können es nicht noch einmal sehen.",
  theToken: "Token",
  ends: "Läuft ab",
  close: "Schließen",
  revoke: "Widerrufen",
  revokeOf: (name) => `Token ${name} widerrufen`,
  revokeTitle: (name) => `Token ${name} widerrufen?`,
  revokeAdvice:
    "Anfragen mit diesem Token werden von nun an abgelehnt. Auch die Token, die damit erstellt wurden, werden widerrufen.",
  revokeCurrent: "Sie sind mit diesem Token angemeldet und werden damit abgemeldet.",
  revoked: (count) => `${counted(count, ["Token wurde", "Token wurden"])} widerrufen.`,
};
