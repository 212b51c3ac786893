import type * as english from "../first-page.ts";
import type { Translation } from "../language/translated.ts";

export const firstPageWords: Translation<typeof english.firstPageWords> = {
  title: "Startseite",
  goTo: "Weiter zu",
  newest: "Neueste Zuweisungen",
};
