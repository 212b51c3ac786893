import type { Translation } from "../language/translated.ts";
import type * as english from "../offboard.ts";
import { assignments, counted } from "./counted.ts";

const tokens = ["Token", "Token"] as const;

export const offboardWords: Translation<typeof english.offboardWords> = {
  open: "Austritt",
  title: (name) => `Austritt von ${name}`,
  kind: "Person",
  mode: "Was geschieht",
  modes: {
    suspend: {
      label: "Sperren",
      advice:
        "Die Zuweisungen werden deaktiviert und die Verwaltungsrollen entfernt. Das können Sie rückgängig machen, solange die Konsole offen ist. Die Token werden endgültig widerrufen.",
      verb: (name) => `${name} sperren`,
      done: (name) => `${name} ist gesperrt.`,
      doneForGood: (name) =>
        `${name} ist gesperrt. Sie können das hier nicht rückgängig machen, weil nicht gelesen werden konnte, was deaktiviert wurde.`,
    },
    remove: {
      label: "Alles entfernen und dann die Person",
      advice:
        "Die Zuweisungen, die Verwaltungsrollen und die Token werden mit der Person entfernt. Das kann nicht rückgängig gemacht werden.",
      verb: (name) => `${name} entfernen`,
      done: (name) => `${name} wurde entfernt.`,
    },
  },
  running: "Wird gespeichert …",
  goes: "Was wegfällt",
  stays: "Was bleibt",
  none: "Nichts.",
  heads: { what: "Was", where: "Wo", roles: "Rollen", happens: "Was geschieht" },
  assignment: "Zuweisung",
  administrator: "Verwaltungsrollen",
  token: "Token",
  elsewhere: "Für Sie nicht sichtbar",
  morePlaces: (count) => `${assignments(count)} an weiteren Stellen`,
  own: (count) => `${counted(count, tokens)} der Person`,
  forOthers: (count) => `${counted(count, tokens)}, von der Person für andere erstellt`,
  unlisted: {
    authorizations: (count) => assignments(count),
    administrators: (count) => counted(count, ["Eintrag mit Verwaltungsrollen", "Einträge mit Verwaltungsrollen"]),
    tokens: (count) => counted(count, tokens),
  },
  happens: {
    deactivated: "wird deaktiviert",
    deleted: "wird gelöscht",
    removed: "wird entfernt",
    revoked: "wird endgültig widerrufen",
    kept: "bleibt: Sie dürfen es nicht ändern",
    hidden: "bleibt: Jemand mit mehr Rechten muss es ändern",
    othersTokens: "bleibt, außer es wurde mit einem Token der Person erstellt",
  },
  ownerless:
    "Diese Organisationen verlieren ihre letzte Vollverwaltung. Jemand mit Vollverwaltung für alles kann eine andere Person einsetzen:",
  uncertain:
    "Der Server hat nicht geantwortet. Vielleicht wurde die Änderung gespeichert. Sie können es gefahrlos erneut versuchen.",
  undone: (name) =>
    `Rückgängig gemacht: ${name} hat die Zuweisungen und Verwaltungsrollen wieder. Widerrufene Token bleiben widerrufen.`,
  notUndone: (why) => `Die Verwaltungsrollen konnten nicht zurückgegeben werden. ${why}`,
  notFound: "Für diese Person ist kein Austritt möglich",
  notFoundAdvice: "Die Person wurde entfernt, oder Sie dürfen weder Zuweisungen ändern noch die Person entfernen.",
  export: {
    file: "austritt",
    of: ["Zeile", "Zeilen"],
  },
};
