import type * as english from "../failures.ts";
import type { Translation } from "../language/translated.ts";

export const failureWords: Translation<typeof english.failureWords> = {
  unexpected: [
    "Im Dienst ist ein Fehler aufgetreten",
    "Versuchen Sie es erneut. Wenn das öfter vorkommt, wenden Sie sich mit der Anfrage-ID an den Betrieb des Dienstes.",
  ],
  away: ["Der Server ist nicht erreichbar", "Die Seite versucht es weiter, bis der Server wieder da ist."],
  tookTooLong: [
    "Der Server hat zu lange gebraucht",
    "Versuchen Sie es erneut, oder grenzen Sie die Ansicht mit einem Filter ein.",
  ],
  signedOut: [
    "Sie wurden inzwischen abgemeldet",
    "Ihre letzte Aktion wurde nicht ausgeführt. Versuchen Sie es erneut.",
  ],
  unreadable: [
    "Der Dienst kann diese Anfrage nicht lesen",
    "Entfernen Sie den Filter oder den Wert, den Sie zuletzt eingegeben haben.",
  ],
  byReason: {
    AUTHORIZATION_CHANGED: [
      "Jemand anderes hat die Zuweisung inzwischen geändert",
      "Sehen Sie sich den jetzigen Stand an, und entscheiden Sie dann erneut.",
    ],
    AUTHORIZATION_EXISTS: [
      "Diese Person hat dort schon eine Zuweisung",
      "Öffnen Sie sie, und bearbeiten Sie ihre Rollen.",
    ],
    AUTHORIZATION_NOT_FOUND: [
      "Die Zuweisung gibt es nicht mehr",
      "Jemand hat sie gelöscht, oder Sie können sie nicht mehr sehen.",
    ],
    ORGANIZATION_NOT_FOUND: ["Die Organisation gibt es nicht mehr", "Wählen Sie eine andere Organisation."],
    ADMINISTRATOR_ROLE_INVALID: ["Der Dienst kennt diese Verwaltungsrolle nicht", "Laden Sie die Seite neu."],
    GRANT_EXISTS: [
      "Das Projekt ist für diese Organisation schon freigegeben",
      "Ändern Sie stattdessen diese Freigabe.",
    ],
    GRANT_TO_OWNER: [
      "Das Projekt gehört dieser Organisation",
      "Wählen Sie eine andere Organisation. Für die eigene ist keine Freigabe nötig.",
    ],
    IMMUTABLE_FIELD: ["Diese ID ist vergeben", "Wählen Sie eine andere ID."],
    LAST_OWNER: ["Niemand hätte mehr die Vollverwaltung für alles", "Geben Sie sie zuerst einer anderen Person."],
    TOO_MANY_ENTRIES: [
      "Diese Person hat zu viele Verwaltungsrollen",
      "Entfernen Sie einige, oder geben Sie stattdessen eine Rolle für die Organisation.",
    ],
    OUTCOMES_TOO_LARGE: ["Das ist zu viel auf einmal", "Machen Sie weniger Änderungen auf einmal."],
    LIFETIME_EXCEEDED: ["Das Token wäre zu lange gültig", "Wählen Sie eine kürzere Zeit."],
    REASON_REQUIRED: ["Änderungen brauchen hier einen Grund", "Geben Sie den Grund an."],
    REFERENCE_NOT_FOUND: [
      "Etwas, das dafür nötig ist, gibt es nicht mehr",
      "Schließen Sie diesen Dialog, sehen Sie nach, was jetzt da ist, und entscheiden Sie dann erneut.",
    ],
    TOKEN_NOT_FOUND: ["Das Token gibt es nicht mehr", "Jemand hat es widerrufen, oder es ist abgelaufen."],
    TOO_MANY_TOKENS: ["Es gibt zu viele Token", "Widerrufen Sie Token, die nicht mehr benötigt werden."],
    OVERLOADED: [
      "Der Server ist überlastet",
      "Warten Sie einen Moment. Ansichten werden automatisch aktualisiert. Änderungen werden nicht erneut gesendet.",
    ],
    PAGE_TOKEN_INVALID: ["Diese Seite gehört zu einer anderen Liste", "Gehen Sie zur ersten Seite."],
    PERMISSION_DENIED: [
      "Dazu haben Sie hier kein Recht",
      "Wenden Sie sich an die Verwaltung der Organisation oder des Projekts.",
    ],
    PROJECT_NOT_GRANTED: [
      "Die Organisation kann dieses Projekt nicht mehr verwenden",
      "Wählen Sie ein anderes Projekt oder eine andere Organisation.",
    ],
    RATE_LIMITED: ["Das waren zu viele Anfragen", "Warten Sie einen Moment, und versuchen Sie es dann erneut."],
    ROLE_NOT_FOUND: ["Eine Rolle kann dort nicht mehr zugewiesen werden", "Wählen Sie die Rollen erneut."],
    USER_NOT_FOUND: ["Die Person gibt es nicht mehr", "Wählen Sie eine andere Person."],
    UNAUTHENTICATED: [
      "Sie wurden inzwischen abgemeldet",
      "Ihre letzte Aktion wurde nicht ausgeführt. Versuchen Sie es erneut.",
    ],
    KEYS_UNAVAILABLE: [
      "Ihre Anmeldung kann zurzeit nicht geprüft werden",
      "Warten Sie einen Moment, und versuchen Sie es dann erneut.",
    ],
    LIMIT_EXCEEDED: ["Die Seite hat zu viel auf einmal angefragt", "Laden Sie die Seite neu."],
    RESUME_TOKEN_INVALID: ["Die Seite kann Änderungen nicht weiterverfolgen", "Laden Sie die Seite neu."],
    RESUME_TOKEN_EXPIRED: ["Die Seite kann Änderungen nicht weiterverfolgen", "Laden Sie die Seite neu."],
    READER_TOO_SLOW: ["Die Seite kann Änderungen nicht weiterverfolgen", "Laden Sie die Seite neu."],
    AUTHORIZATION_EXPIRED: ["Die Zuweisung ist abgelaufen", "Lassen Sie die Zuweisung später oder gar nicht ablaufen."],
    EXPIRATION_NOT_IN_FUTURE: ["Dieser Zeitpunkt ist vorbei", "Wählen Sie einen Zeitpunkt in der Zukunft."],
    EXPIRATION_NOT_REACHED: [
      "Das Ablaufdatum ist noch nicht erreicht",
      "Sehen Sie sich den jetzigen Stand an, und entscheiden Sie dann erneut.",
    ],
    VERSION_INVALID: ["Der Dienst kann dies nicht mit dem Vorhandenen vergleichen", "Laden Sie die Seite neu."],
    DIRECTORY_CHANGED: [
      "Jemand anderes hat dies inzwischen geändert",
      "Sehen Sie sich den jetzigen Stand an, und entscheiden Sie dann erneut.",
    ],
    DUPLICATE_CHANGE: ["Dasselbe würde zweimal geändert", "Lassen Sie eines davon weg."],
    DATABASE_UNAVAILABLE: [
      "Der Dienst erreicht seine Datenbank nicht",
      "Die Seite versucht es weiter. Sehen Sie nach, ob eine Änderung gespeichert ist, bevor Sie sie wiederholen.",
    ],
  },
};
