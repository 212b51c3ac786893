import type { Translation } from "../language/translated.ts";
import type * as english from "../parts.ts";
import { number } from "./counted.ts";

export const partWords: Translation<typeof english.partWords> = {
  refresh: "Aktualisieren",
  refreshing: "Wird aktualisiert …",
  news: (count) => (count < 100 ? `${count} geändert` : "Über 100 geändert"),
  hasNews: "Etwas davon hat sich geändert. Aktualisieren Sie, um es zu sehen.",
  export: "CSV exportieren",
  view: "Ansicht",
  search: "Suchen",
  control: "Strg",
  newAssignment: "Neue Zuweisung",
  broken: "Dieser Teil der Seite kann nicht angezeigt werden",
  brokenAdvice: "Laden Sie die Seite neu. Sie bleiben angemeldet.",
  reload: "Seite neu laden",
  assignment: "Zuweisung",
  details: "Details",
  noDetails: "Es gibt keine weiteren Details.",
  requestId: "Anfrage-ID:",
  retry: "Erneut versuchen",
  old: "Der Server ist nicht erreichbar. Dies ist seine letzte Antwort. Die Seite versucht es weiter.",
  active: "Aktiv",
  inactive: "Inaktiv",
  ended: "Abgelaufen",
  noRoles: "Keine Rollen",
  more: (count) => `${number(count)} weitere`,
  closeMessage: "Meldung schließen",
};
