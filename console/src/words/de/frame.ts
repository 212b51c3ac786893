import type * as english from "../frame.ts";
import type { Translation } from "../language/translated.ts";
import { product } from "../product.ts";

export const frameWords: Translation<typeof english.frameWords> = {
  product,
  skip: "Zum Inhalt springen",
  views: "Ansichten",
  assignments: "Zuweisungen",
  ownAccess: "Ihr Zugriff",
  history: "Verlauf",
  overview: "Übersicht",
  signOut: "Abmelden",
  notFound: "Seite nicht gefunden",
  notFoundAdvice: "Prüfen Sie die Adresse auf Tippfehler, oder gehen Sie zu den Zuweisungen.",
  toAssignments: "Zu den Zuweisungen",
  people: "Personen",
  projects: "Projekte",
  organizations: "Organisationen",
  administrators: "Verwaltung",
  account: (name) => `${name}: Ihr Konto`,
};
