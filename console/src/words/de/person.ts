import type { Translation } from "../language/translated.ts";
import type * as english from "../person.ts";
import { counted } from "./counted.ts";

export const personWords: Translation<typeof english.personWords> = {
  kind: "Person",
  notFound: "Diese Person ist nicht zu finden",
  notFoundAdvice: "Die Person wurde entfernt, oder Sie dürfen die Organisation nicht sehen, zu der sie gehört.",
  assignments: {
    title: "Zuweisungen",
    suspended: "Zuweisungen (gesperrt)",
    none: "Keine Zuweisungen vorhanden.",
    inTable: "In der Tabelle anzeigen",
    open: "Details",
    openOf: (project, organization) => `Details der Zuweisung für ${project} in ${organization}`,
    in: "in",
    ends: "läuft ab",
    granted: (owner) => `freigegeben von ${owner}`,
    notListed: (count) =>
      `${counted(count, ["weitere Zuweisung steht", "weitere Zuweisungen stehen"])} in der Tabelle.`,
  },
  administers: { title: "Verwaltet", none: "Keine Verwaltungsrollen vorhanden." },
  history: {
    about: "Verlauf dieser Person",
    by: "Was diese Person änderte",
  },
};
