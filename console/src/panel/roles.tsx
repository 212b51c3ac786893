import type { Role } from "@authorization-service/client";
import { useState } from "react";
import { nameOf } from "../parts/role-chips.tsx";
import { locale } from "../words/language/language.ts";
import { panelWords as words } from "../words/panel.ts";

/** How many roles are shown at first. A thousand take long to scroll past, and are slow to render. */
const atFirst = 50;

/** The roles by group, with the keys that programs use. */
export function Roles({ roles }: { roles: readonly Role[] }) {
  const [isWhole, setWhole] = useState(false);
  const ordered = groupsOf(roles).flatMap(([, ofGroup]) => ofGroup);
  return (
    <section>
      <h3>
        {words.roles} <span className="muted">{roles.length}</span>
      </h3>
      {roles.length === 0 && <p className="muted">{words.noRoles}</p>}
      {groupsOf(isWhole ? ordered : ordered.slice(0, atFirst)).map(([group, ofGroup]) => (
        <div key={group} className="held-roles">
          <h4>{group || words.noGroup}</h4>
          <ul className="lines">
            {ofGroup.map((role) => (
              <li key={role.key}>
                {nameOf(role)} {role.displayName && role.displayName !== role.key && <code>{role.key}</code>}
              </li>
            ))}
          </ul>
        </div>
      ))}
      {roles.length > atFirst && (
        <button type="button" onClick={() => setWhole(!isWhole)}>
          {isWhole ? words.showFirst(atFirst) : words.showAll(roles.length)}
        </button>
      )}
    </section>
  );
}

/** Sorted by name. Roles without a group come last. */
export function groupsOf(roles: readonly Role[]): [group: string, roles: Role[]][] {
  const groups = Object.entries(Object.groupBy(roles, ({ group }) => group)) as [string, Role[]][];
  return groups.sort(([a], [b]) => Number(a === "") - Number(b === "") || a.localeCompare(b, locale));
}
