import type { AdministratorEntry } from "@authorization-service/client/directory";
import { administratorRole, administratorRoleWords } from "../words/administrator-roles.ts";
import { scopeWords } from "../words/scopes.ts";
import { ScopeName } from "./scope-name.tsx";

/** The roles of an administrator entry: where they apply, and what each one allows. */
export function EntryRoles({ entry: { roles, scope } }: { entry: AdministratorEntry }) {
  return (
    <ul className="entry-roles">
      {roles.map((role) => (
        <li key={role}>
          <strong title={role}>{administratorRole(role)}</strong> {scopeWords.of} <ScopeName scope={scope} />
          {administratorRoleWords[role] && <span className="muted">: {administratorRoleWords[role].allows}</span>}
        </li>
      ))}
    </ul>
  );
}
