import type * as english from "../assignments.ts";
import type { Translation } from "../language/translated.ts";
import { titleOf } from "../product.ts";

export const assignmentWords: Translation<typeof english.assignmentWords> = {
  title: "Zuweisungen",
  pageTitle: titleOf("Zuweisungen"),
  empty: "Sie sehen noch keine Zuweisungen",
  emptyAdvice: "Hier erscheinen Ihre eigenen Zuweisungen und die von allem, was Sie verwalten.",
  selectPage: "Alle Zeilen dieser Seite auswählen",
  select: (user, project) => `${user}, ${project} auswählen`,
  editRoles: (user, project) => `Rollen von ${user} in ${project} bearbeiten`,
  user: "Person",
  columns: {
    organization: "Organisation",
    project: "Projekt",
    roles: "Rollen",
    state: "Status",
    ends: "Läuft ab",
    created: "Angelegt",
    changed: "Geändert",
  },
  sorts: {
    created: "Angelegt",
    changed: "Geändert",
    ends: "Ablauf",
    id: "ID",
    user: "Person",
    project: "Projekt",
    organization: "Organisation",
    "user-organization": "ID der eigenen Organisation der Person",
  },
  sortBy: "Sortieren nach",
  direction: "Richtung",
  directions: (sort) =>
    ({
      created: { down: "Neueste zuerst", up: "Älteste zuerst" },
      changed: { down: "Neueste zuerst", up: "Älteste zuerst" },
      ends: { down: "Späteste zuerst", up: "Früheste zuerst" },
      id: { down: "Absteigend", up: "Aufsteigend" },
      "user-organization": { down: "Absteigend", up: "Aufsteigend" },
    })[sort] ?? { down: "Von Z bis A", up: "Von A bis Z" },
  pageSize: "Zeilen pro Seite",
  columnsTitle: "Spalten",
};
