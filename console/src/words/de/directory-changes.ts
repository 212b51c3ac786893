import type * as english from "../directory-changes.ts";
import { locale } from "../language/language.ts";
import type { Translation } from "../language/translated.ts";
import { assignments, counted } from "./counted.ts";

/** In the dative case, which has the same forms here. */
const inAssignments = (count: number) => counted(count, ["Zuweisung", "Zuweisungen"]);
const inOrganizations = (count: number) => counted(count, ["Organisation", "Organisationen"]);

export const changeWords: Translation<typeof english.changeWords> = {
  running: "Wird gespeichert …",
  uncertain:
    "Der Server hat nicht geantwortet. Vielleicht wurde die Änderung gespeichert. Sie können es gefahrlos erneut versuchen.",
  changedMeanwhile: "Jemand anderes hat dies inzwischen geändert. Nichts wurde überschrieben.",
  lookAgain: "So ist es jetzt, und so würde es werden. Wenn Sie das noch wollen, bestätigen Sie erneut.",
  noUndo: "Das kann nicht rückgängig gemacht werden.",
  save: "Speichern",
  add: "Hinzufügen",
  edit: "Bearbeiten",
  rename: "Umbenennen",
  remove: "Entfernen",
  id: "ID",
};

export const consequenceWords: Translation<typeof english.consequenceWords> = {
  counting: "Die betroffenen Zuweisungen werden gezählt …",
  tokensMayStay: "Token, die für Personen anderer Organisationen erstellt wurden, können gültig bleiben.",
  ofSeen: {
    changed: (count, places) =>
      `Entfernt Rollen aus ${inAssignments(count)}, die Sie sehen, in ${inOrganizations(places)}, und aus allen, die Sie nicht sehen.`,
    removed: (count, places) =>
      `Löscht ${assignments(count)}, die Sie sehen, in ${inOrganizations(places)}, und alle, die Sie nicht sehen.`,
    none: "Ändert keine Zuweisung, die Sie sehen. Es kann andere geben.",
  },
  ofAll: {
    changed: (count, places) => `Entfernt Rollen aus ${inAssignments(count)} in ${inOrganizations(places)}.`,
    removed: (count, places) => `Löscht ${assignments(count)} in ${inOrganizations(places)}.`,
    none: "Ändert keine Zuweisung.",
  },
};

export const personChangeWords: Translation<typeof english.personChangeWords> = {
  add: "Person hinzufügen",
  addTitle: "Person hinzufügen",
  editTitle: (name) => `${name} bearbeiten`,
  moveAdvice:
    "Die Person behält alle Zuweisungen und Verwaltungsrollen. Von nun an verwaltet die Personenverwaltung der neuen Organisation diese Person.",
  displayName: "Name",
  loginName: "Anmeldename",
  sameLoginName: "Diesen Anmeldenamen gibt es schon. Das führt leicht zu Verwechslungen mit:",
  similarLoginName: "Es gibt einen ähnlichen Anmeldenamen. Das führt leicht zu Verwechslungen mit:",
  picture: "Adresse eines Bildes (optional)",
  organization: "Organisation",
  advanced: "Erweitert",
  id: "ID",
  idHint:
    "Bei der Anmeldung über OpenID Connect ist das der Wert „subject“ des Anbieters. Die ID kann später nicht geändert werden.",
  added: (name) => `${name} wurde hinzugefügt.`,
  changed: (name) => `${name} wurde geändert.`,
};

export const roleChangeWords: Translation<typeof english.roleChangeWords> = {
  add: "Rollen hinzufügen",
  addTitle: "Rollen hinzufügen",
  editTitle: (name) => `Rolle ${name} bearbeiten`,
  removeOf: (name) => `Rolle ${name} entfernen`,
  removeTitle: (name) => `Rolle ${name} entfernen?`,
  removeAdvice:
    "Die Rolle wird aus allen Zuweisungen und Freigaben dieses Projekts entfernt. Die Zuweisungen bleiben bestehen.",
  key: "Schlüssel (mehrere mit Kommas dazwischen)",
  keyHint: "Was Programme prüfen, etwa pruefer. Schlüssel können später nicht geändert werden.",
  keysMade: (keys) =>
    `Programme prüfen dann ${keys.length === 1 ? "den Schlüssel" : "die Schlüssel"} ${new Intl.ListFormat(locale).format(keys)}. Niemand kann das später ändern.`,
  keyTaken: "Das Projekt hat schon eine Rolle mit diesem Schlüssel.",
  severalHint: "Jeder Schlüssel wird eine Rolle. Sie können die Rollen danach benennen.",
  name: "Name (optional)",
  group: "Gruppe (optional)",
  description: "Was sie erlaubt (optional)",
  added: (name) => `Die Rolle ${name} wurde hinzugefügt.`,
  severalAdded: (count) => `${counted(count, ["Rolle wurde", "Rollen wurden"])} hinzugefügt.`,
  changed: (name) => `Die Rolle ${name} wurde geändert.`,
  removed: (name) => `Die Rolle ${name} wurde entfernt.`,
};

export const grantChangeWords: Translation<typeof english.grantChangeWords> = {
  add: "Für eine Organisation freigeben",
  submit: "Freigeben",
  noRoles: "Wählen Sie mindestens eine Rolle.",
  addTitle: (project) => `${project} für eine Organisation freigeben`,
  editTitle: (organization) => `Freigabe für ${organization} bearbeiten`,
  removeOf: (organization) => `Freigabe für ${organization} entfernen`,
  removeTitle: (organization) => `Freigabe für ${organization} entfernen?`,
  removeAdvice:
    "Die Zuweisungen der Organisation für dieses Projekt werden gelöscht und die Verwaltungsrollen für die Freigabe entfernt.",
  organization: "Organisation",
  roles: "Rollen, die die Organisation zuweisen darf",
  lost: "Rollen, die aus der Freigabe entfernt werden, werden auch aus ihren Zuweisungen entfernt.",
  added: (organization) => `Das Projekt wurde für ${organization} freigegeben.`,
  changed: (organization) => `Die Freigabe für ${organization} wurde geändert.`,
  removed: (organization) => `Die Freigabe für ${organization} wurde entfernt.`,
};

export const entryChangeWords: Translation<typeof english.entryChangeWords> = {
  give: "Verwaltungsrolle hinzufügen",
  giveTo: "Verwaltungsrolle hinzufügen",
  giveToTitle: (person) => `Verwaltungsrolle für ${person} hinzufügen`,
  giveTitle: (scope) => `Verwaltungsrolle für ${scope} hinzufügen`,
  editTitle: (person, scope) => `Was ${person} für ${scope} verwaltet`,
  editOf: (person, scope) => `Verwaltungsrollen von ${person} für ${scope} bearbeiten`,
  removeOf: (person, scope) => `Verwaltungsrollen von ${person} für ${scope} entfernen`,
  removeTitle: (person, scope) => `Verwaltungsrollen von ${person} für ${scope} entfernen?`,
  removeAdvice: "Die Person verliert diese Rechte sofort.",
  person: "Person",
  roles: "Rollen",
  existing: "Diese Person hat dort schon Verwaltungsrollen. Sie ändern diese.",
  given: (person, scope) => `${person} verwaltet jetzt: ${scope}.`,
  removed: (person, scope) => `${person} verwaltet nicht mehr: ${scope}.`,
  everything: "alles",
  grant: (project, organization) => `${project}, freigegeben für ${organization}`,
  level: "Geltungsbereich",
  levels: {
    organization: "eine Organisation",
    project: "ein Projekt",
    projectGrant: "eine Freigabe",
    instance: "alles",
  },
  organization: "Organisation",
  project: "Projekt",
  asNow: (roles) => `Wie bisher: ${new Intl.ListFormat(locale).format(roles)}. Wählen Sie andere, um das zu ändern.`,
  notGranted: "Das Projekt ist für diese Organisation nicht freigegeben.",
  notYours: "Diese Person hat dort Rollen, die Sie nicht geben können. Deshalb können Sie sie nicht ändern.",
  notThere: "Sie können dort keine Verwaltungsrollen geben.",
};

export const namedChangeWords: Translation<typeof english.namedChangeWords> = {
  addOrganization: "Organisation hinzufügen",
  addOrganizationTitle: "Organisation hinzufügen",
  addProject: "Projekt hinzufügen",
  addProjectTitle: "Projekt hinzufügen",
  owner: "Organisation, der es gehört",
  keys: "Rollen: Schlüssel, mit Kommas dazwischen",
  keysHint: "Optional wie alles Weitere: Das können Sie auch später tun.",
  grantee: "Organisation, für die alle diese Rollen freigegeben werden",
  granteeOwns: "Das Projekt gehört dieser Organisation, sie braucht keine Freigabe.",
  granteeNeeds: "Eine Freigabe braucht eine Rolle.",
  person: "Person für die Vollverwaltung (optional)",
  renameTitle: (name) => `${name} umbenennen`,
  removeTitle: (name) => `${name} entfernen?`,
  removeProjectAdvice:
    "Auch seine Zuweisungen werden gelöscht und seine Rollen, Freigaben und Verwaltungsrollen entfernt.",
  removeOrganizationAdvice:
    "Auch ihre Zuweisungen werden gelöscht, und ihre Personen, ihre Projekte mit allem darin, die Freigaben für sie und ihre Verwaltungsrollen werden entfernt.",
  name: "Name",
  added: (name) => `${name} wurde hinzugefügt.`,
  renamed: (name) => `Der Name ist jetzt ${name}.`,
  removed: (name) => `${name} wurde entfernt.`,
};
