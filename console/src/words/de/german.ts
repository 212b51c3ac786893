import { ownAccessWords } from "./access.ts";
import { accountWords } from "./account.ts";
import { addPeopleWords } from "./add-people.ts";
import { administratorRoleWords } from "./administrator-roles.ts";
import { administratorsWords } from "./administrators.ts";
import { assignListWords } from "./assign-list.ts";
import { assignmentChangeWords, batchWords, rolesWords } from "./assignment-changes.ts";
import { assignmentWords } from "./assignments.ts";
import { attentionWords } from "./attention.ts";
import { compareWords } from "./compare.ts";
import { counted, moreThanCounted } from "./counted.ts";
import { createWords } from "./create.ts";
import {
  changeWords,
  consequenceWords,
  entryChangeWords,
  grantChangeWords,
  namedChangeWords,
  personChangeWords,
  roleChangeWords,
} from "./directory-changes.ts";
import { directoryHistoryWords } from "./directory-history.ts";
import { endWords } from "./ends.ts";
import { exportWords } from "./export.ts";
import { facetWords } from "./facets.ts";
import { failureWords } from "./failures.ts";
import { filterEditorWords } from "./filter-editor.ts";
import { filterWords } from "./filters.ts";
import { firstPageWords } from "./first-page.ts";
import { firstStepsWords } from "./first-steps.ts";
import { frameWords } from "./frame.ts";
import { historyWords } from "./history.ts";
import { matrixWords } from "./matrix.ts";
import { offboardWords } from "./offboard.ts";
import { orderIn } from "./orders.ts";
import { organizationsWords, organizationWords } from "./organizations.ts";
import { overviewWords } from "./overview.ts";
import { pageWords } from "./pages.ts";
import { accessWords, panelWords } from "./panel.ts";
import { partWords } from "./parts.ts";
import { peopleWords } from "./people.ts";
import { limitedPermissionWords, permissionWords } from "./permissions.ts";
import { personWords } from "./person.ts";
import { pickerWords } from "./pickers.ts";
import { projectsWords, projectWords } from "./projects.ts";
import { reasonWords } from "./reason.ts";
import { removedWords } from "./removed.ts";
import { roleWords } from "./role.ts";
import { rowWords } from "./rows.ts";
import { scopeWords } from "./scopes.ts";
import { searchWords } from "./search.ts";
import { signInProblems, signInWords } from "./session.ts";
import { tokenWords } from "./tokens.ts";
import { undoWords } from "./undo.ts";

/**
 * The glossary: one German word for each thing. Readers are "Sie", sentences are short, and buttons have verbs in the infinitive.
 *
 *     assignment      Zuweisung           person          Person
 *     role            Rolle               organization    Organisation
 *     project         Projekt             login name      Anmeldename
 *     grant           Freigabe            key (of a role) Schlüssel
 *     token           das Token           id              ID
 *     state           Status              reason          Grund
 *     history         Verlauf             request         Anfrage
 *     directory       Verzeichnis
 *     overview        Übersicht           last owner      letzte Vollverwaltung
 *     administrators  Verwaltung          administrator role  Verwaltungsrolle
 *     owner (role)    Vollverwaltung      viewer (role)   Einsicht
 *     the people who run the service      der Betrieb des Dienstes
 *
 *     assign    Rollen zuweisen           create/delete (assignment)  anlegen/löschen
 *     add       hinzufügen                remove          entfernen
 *     create/revoke (token)  erstellen/widerrufen         grant a project  ein Projekt freigeben
 *     expire, end  ablaufen               deactivate      deaktivieren
 *     undo      rückgängig machen         off-board       Austritt
 */
export const german = {
  accessWords,
  accountWords,
  addPeopleWords,
  administratorRoleWords,
  administratorsWords,
  assignListWords,
  assignmentChangeWords,
  assignmentWords,
  attentionWords,
  batchWords,
  changeWords,
  compareWords,
  consequenceWords,
  counted,
  createWords,
  directoryHistoryWords,
  endWords,
  entryChangeWords,
  exportWords,
  facetWords,
  failureWords,
  filterEditorWords,
  filterWords,
  firstPageWords,
  firstStepsWords,
  frameWords,
  grantChangeWords,
  historyWords,
  limitedPermissionWords,
  matrixWords,
  moreThanCounted,
  namedChangeWords,
  offboardWords,
  orderIn,
  organizationWords,
  organizationsWords,
  overviewWords,
  ownAccessWords,
  pageWords,
  panelWords,
  partWords,
  peopleWords,
  permissionWords,
  personChangeWords,
  personWords,
  pickerWords,
  projectWords,
  projectsWords,
  reasonWords,
  removedWords,
  roleChangeWords,
  roleWords,
  rolesWords,
  rowWords,
  scopeWords,
  searchWords,
  signInProblems,
  signInWords,
  tokenWords,
  undoWords,
};
