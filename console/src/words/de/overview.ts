import type { Translation } from "../language/translated.ts";
import type * as english from "../overview.ts";

export const overviewWords: Translation<typeof english.overviewWords> = {
  title: "Übersicht",
  newest: "Letzte",
  days: (count) => `${count} Tage`,
  byState: "Nach Status",
  byOrganization: "Nach Organisation",
  byProject: "Nach Projekt",
  byRole: "Nach Rolle",
  byRoleHint: "Eine Zuweisung mit mehreren Rollen zählt bei jeder davon.",
  inOtherOrganizations: (assignments) => `${assignments} in anderen Organisationen`,
  forOtherProjects: (assignments) => `${assignments} für andere Projekte`,
  otherRoles: (count, times) => `Andere Rollen kommen ${count === 1 ? "einmal" : `${times}-mal`} vor`,
  none: "Keine",
  within: (name, within) => `${name} in ${within}`,
  bar: (what, assignments, share) => `${what}: ${assignments}, ${share}`,
  created: "Neue Zuweisungen im Zeitverlauf",
  newestDays: (count, text) =>
    `${count === 1 ? "Der letzte Tag" : `Die letzten ${text} Tage`} mit neuen Zuweisungen. Tage beginnen um Mitternacht UTC.`,
  newestDayExceedsLimit:
    "Am neuesten Tag wurden mehr als 100.000 Zuweisungen angelegt. Nur bis zu dieser Zahl werden Tage gezählt.",
  createdBefore: (assignments) => `${assignments} davor angelegt`,
};
