import type * as english from "../permissions.ts";

export const permissionWords: typeof english.permissionWords = {
  "user.grant.read": "Zuweisungen sehen",
  "user.grant.write": "Rollen zuweisen, Zuweisungen und ihren Status ändern",
  "user.grant.delete": "Zuweisungen löschen",
  "org.write": "Organisationen hinzufügen, umbenennen und entfernen",
  "user.write": "Personen hinzufügen, ändern, verschieben und entfernen",
  "project.write": "Projekte hinzufügen, umbenennen und entfernen",
  "project.role.write": "Rollen von Projekten hinzufügen, ändern und entfernen",
  "project.grant.write": "Projekte für andere Organisationen freigeben",
  "administrator.write": "Verwaltungsrollen geben und entfernen",
  "directory.write": "Alles ändern, auch die Verwaltungsrollen für alles",
};

export const limitedPermissionWords: typeof english.limitedPermissionWords = {
  "org.write": "Organisationen umbenennen und entfernen",
  "user.write": "Personen hinzufügen und ändern",
  "project.write": "Projekte umbenennen und entfernen",
};
