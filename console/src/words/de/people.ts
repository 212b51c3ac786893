import type { Translation } from "../language/translated.ts";
import type * as english from "../people.ts";

export const peopleWords: Translation<typeof english.peopleWords> = {
  title: "Personen",
  organization: "Organisation",
  columns: { name: "Name", loginName: "Anmeldename", organization: "Organisation" },
  empty: "Sie sehen noch keine Personen",
  emptyAdvice: "Sie sehen die Personen der Organisationen, die Sie verwalten, und der Zuweisungen, die Sie sehen.",
};
