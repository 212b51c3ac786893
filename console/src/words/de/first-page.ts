import type * as english from "../first-page.ts";
import type { Translation } from "../language/translated.ts";

export const firstPageWords: Translation<typeof english.firstPageWords> = {
  title: "Startseite",
  goTo: "Weiter zu",
  ways: {
    people: "was sie haben und verwalten",
    projects: "ihre Rollen und Freigaben, und wer was hat",
    organizations: "ihre Personen und Projekte",
    administrators: "wer was verwaltet",
    assignments: "wer wo welche Rollen hat",
    overview: "wie viele Zuweisungen es gibt, nach Ort, Rolle und Tag",
    history: "wer was wann und warum geändert hat",
  },
};
