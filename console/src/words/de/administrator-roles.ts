import type * as english from "../administrator-roles.ts";

export const administratorRoleWords: typeof english.administratorRoleWords = {
  IAM_OWNER: { title: "Vollverwaltung", allows: "verwaltet alles, auch die Verwaltungsrollen für alles" },
  IAM_ORG_MANAGER: {
    title: "Organisationsverwaltung",
    allows:
      "verwaltet alle Organisationen, Personen, Projekte mit ihren Rollen und Freigaben, Zuweisungen und Verwaltungsrollen, außer denen für alles",
  },
  IAM_USER_MANAGER: { title: "Personenverwaltung", allows: "verwaltet alle Personen, Zuweisungen und Freigaben" },
  IAM_LOGIN_CLIENT: {
    title: "Anmeldeprogramm",
    allows: "fügt überall Personen hinzu, ändert sie und weist Rollen zu, verschiebt und entfernt aber niemanden",
  },
  IAM_OWNER_VIEWER: { title: "Einsicht", allows: "sieht alles" },
  ORG_OWNER: {
    title: "Vollverwaltung",
    allows:
      "verwaltet die Organisation, ihre Personen, Projekte und deren Rollen, Freigaben, Zuweisungen und Verwaltungsrollen",
  },
  ORG_USER_MANAGER: { title: "Personenverwaltung", allows: "verwaltet ihre Personen und Zuweisungen" },
  ORG_USER_PERMISSION_EDITOR: { title: "Zuweisungsverwaltung", allows: "verwaltet ihre Zuweisungen" },
  ORG_PROJECT_PERMISSION_EDITOR: {
    title: "Zuweisungs- und Freigabeverwaltung",
    allows: "verwaltet ihre Zuweisungen und die Freigaben ihrer Projekte",
  },
  ORG_OWNER_VIEWER: { title: "Einsicht", allows: "sieht ihre Zuweisungen" },
  PROJECT_OWNER: {
    title: "Vollverwaltung",
    allows:
      "verwaltet das Projekt, seine Rollen, Freigaben und Verwaltungsrollen und die Zuweisungen in der Organisation, der es gehört",
  },
  PROJECT_OWNER_GLOBAL: {
    title: "Vollverwaltung ohne Freigaben",
    allows:
      "verwaltet das Projekt, seine Rollen und Verwaltungsrollen und die Zuweisungen in der Organisation, der es gehört, aber nicht seine Freigaben",
  },
  PROJECT_OWNER_VIEWER: {
    title: "Einsicht",
    allows: "sieht die Zuweisungen in der Organisation, der das Projekt gehört",
  },
  PROJECT_OWNER_VIEWER_GLOBAL: {
    title: "Einsicht",
    allows:
      "sieht die Zuweisungen in der Organisation, der das Projekt gehört; dasselbe wie Einsicht, unter anderem Namen",
  },
  PROJECT_GRANT_OWNER: {
    title: "Vollverwaltung",
    allows: "verwaltet die Zuweisungen und Verwaltungsrollen dieser Freigabe",
  },
  PROJECT_GRANT_OWNER_VIEWER: { title: "Einsicht", allows: "sieht die Zuweisungen dieser Freigabe" },
};
