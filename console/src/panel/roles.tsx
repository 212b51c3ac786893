import type { Role } from "@authorization-service/client";
import { nameOf } from "../parts/role-chips.tsx";
import { useMore } from "../parts/use-more.tsx";
import { locale } from "../words/language/language.ts";
import { panelWords as words } from "../words/panel.ts";

/** The roles by group, with the keys that programs use. Roles without a group come last. */
export function Roles({ roles }: { roles: readonly Role[] }) {
  const sorted = roles.toSorted(
    ({ group: a }, { group: b }) => Number(a === "") - Number(b === "") || a.localeCompare(b, locale),
  );
  const [shown, more] = useMore(sorted);
  return (
    <section>
      <h3>
        {words.roles} <span className="muted">{roles.length}</span>
      </h3>
      {roles.length === 0 && <p className="muted">{words.noRoles}</p>}
      {[...Map.groupBy(shown, ({ group }) => group)].map(([group, ofGroup]) => (
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
      {more}
    </section>
  );
}
