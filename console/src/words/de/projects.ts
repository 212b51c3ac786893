import type { Translation } from "../language/translated.ts";
import type * as english from "../projects.ts";
import { assignments, counted } from "./counted.ts";

export const projectsWords: Translation<typeof english.projectsWords> = {
  title: "Projekte",
  organization: "Organisation",
  columns: { name: "Name", owner: "Gehört zu", roles: "Rollen", grants: "Freigegeben für" },
  roles: (count) => counted(count, ["Rolle", "Rollen"]),
  grants: (count) => (count === 0 ? "niemanden" : counted(count, ["Organisation", "Organisationen"])),
  empty: "Sie sehen noch keine Projekte",
  emptyAdvice: "Sie sehen die Projekte, die Sie verwalten, und die der Zuweisungen, die Sie sehen.",
};

export const projectWords: Translation<typeof english.projectWords> = {
  kind: "Projekt",
  notFound: "Dieses Projekt ist nicht zu finden",
  notFoundAdvice: "Das Projekt wurde entfernt, oder Sie dürfen es nicht sehen.",
  roles: {
    title: "Rollen",
    none: "Noch keine Rollen. Personen können in diesem Projekt Rollen haben.",
    noGroup: "Ohne Gruppe",
    holders: assignments,
    notListed: (count) => `${counted(count, ["weitere Rolle ist", "weitere Rollen sind"])} nicht aufgelistet.`,
  },
  grants: {
    title: "Freigaben",
    none: "Noch keine Freigaben. Mit einer Freigabe kann eine andere Organisation einige der Rollen zuweisen.",
    notListed: (count) => `${counted(count, ["weitere Freigabe ist", "weitere Freigaben sind"])} nicht aufgelistet.`,
  },
  administrators: {
    title: "Verwaltung",
    none: "Noch keine Verwaltung. Eine Vollverwaltung ändert das Projekt und weist seine Rollen zu.",
  },
  holders: {
    title: "Wer was hat",
    none: "Noch keine Zuweisungen. Eine Zuweisung gibt einer Person Rollen in diesem Projekt.",
    all: (count) => (count === 1 ? "1 Zuweisung" : `Alle ${assignments(count)}`),
    in: (organization) => `in ${organization}`,
    inOthers: (count) => `${assignments(count)} in anderen Organisationen`,
  },
};
