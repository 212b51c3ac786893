import type { CallerPermission } from "@authorization-service/client";
import { Nothing } from "../directory/answered.tsx";
import { isLimited } from "../directory/rights.ts";
import { keyOfScope, ScopeName } from "../directory/scope-name.tsx";
import { Things } from "../directory/things.tsx";
import { accountWords } from "../words/account.ts";
import { administratorRole } from "../words/administrator-roles.ts";
import { limitedPermissionWords, permissionWords } from "../words/permissions.ts";
import { scopeWords } from "../words/scopes.ts";

const words = accountWords.permissions;
/** A caller may have a thousand administrator entries. */
const most = 10;

/** Each permission, with the administrator entries that give it. */
export function Permissions({ permissions }: { permissions: readonly CallerPermission[] }) {
  if (permissions.length === 0) return <Nothing>{words.none}</Nothing>;
  return (
    <Things label={words.title} columns={[words.columns.permission, words.columns.why]}>
      {permissions.map(({ permission, sources }) => (
        <tr key={permission}>
          <th scope="row">
            {(isLimited(permission, sources) ? limitedPermissionWords : permissionWords)[permission] ?? permission}
          </th>
          <td>
            <ul className="lines">
              {sources.slice(0, most).map(({ scope, roles }) => (
                <li key={keyOfScope(scope)}>
                  <div>
                    {roles.map(administratorRole).join(", ")} {scopeWords.of} <ScopeName scope={scope} />
                  </div>
                </li>
              ))}
              {sources.length > most && <li className="muted">{words.more(sources.length - most)}</li>}
            </ul>
          </td>
        </tr>
      ))}
    </Things>
  );
}
