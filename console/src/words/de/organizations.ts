import type { Translation } from "../language/translated.ts";
import type * as english from "../organizations.ts";
import { counted } from "./counted.ts";

export const organizationsWords: Translation<typeof english.organizationsWords> = {
  title: "Organisationen",
  columns: { name: "Name" },
  empty: "Sie sehen noch keine Organisationen",
  emptyAdvice: "Sie sehen die Organisationen, die Sie verwalten, und die der Zuweisungen, die Sie sehen.",
};

export const organizationWords: Translation<typeof english.organizationWords> = {
  kind: "Organisation",
  notFound: "Diese Organisation ist nicht zu finden",
  notFoundAdvice: "Die Organisation wurde entfernt, oder Sie dürfen sie nicht sehen.",
  people: {
    title: "Personen",
    none: "Noch keine Personen. Personen können hier und anderswo Rollen in Projekten haben.",
    all: (count) => (count === 1 ? "1 Person" : `Alle ${counted(count, ["Person", "Personen"])}`),
  },
  projects: {
    title: "Projekte",
    none: "Noch keine Projekte. Ein Projekt hat die Rollen, die Personen haben können. Andere Organisationen können ihre freigeben.",
    all: "Alle Projekte dieser Organisation",
    grantedBy: "freigegeben von",
  },
  notListed: (count) => `${counted(count, ["weiteres Projekt ist", "weitere Projekte sind"])} nicht aufgelistet.`,
  administrators: {
    title: "Verwaltung",
    none: "Noch keine Verwaltung. Eine Vollverwaltung ändert die Organisation und was zu ihr gehört.",
  },
  assignments: "Alle Zuweisungen",
};
