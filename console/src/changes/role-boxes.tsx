import { useId, useState } from "react";
import { nameOf } from "../parts/role-chips.tsx";
import type { RoleChoice } from "./offered-roles.ts";

type Props = {
  legend: string;
  choices: readonly RoleChoice[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  /** How many more there are that cannot be shown. */
  unlisted?: number;
};

/** As many as are seen at a glance. */
const manyRoles = 12;

/** Roles to tick, by group; where there are many, with a search. */
export function RoleBoxes({ legend, choices, chosen, onChange, unlisted = 0 }: Props) {
  const [search, setSearch] = useState("");
  const field = useId();
  const isLong = choices.length > manyRoles;
  const found = isLong ? choices.filter((choice) => isFound(choice, search)) : choices;

  function toggle(key: string, isChosen: boolean) {
    const next = new Set(chosen);
    if (isChosen) next.add(key);
    else next.delete(key);
    onChange(next);
  }

  return (
    <fieldset className="role-boxes">
      <legend>{legend}</legend>
      {isLong && (
        <div className="role-search">
          <label htmlFor={field}>Find a role</label>
          <input id={field} type="search" value={search} onChange={({ target }) => setSearch(target.value)} />
          <span className="muted" role="status">
            {found.length} of {choices.length}
          </span>
        </div>
      )}
      {unlisted > 0 && (
        <p className="muted">
          {unlisted.toLocaleString()} more roles are too many to be listed here; the API assigns them.
        </p>
      )}
      <div className="role-groups">
        {byGroup(found).map(([group, roles]) => (
          <fieldset key={group} className="role-group">
            <legend>{group || "No group"}</legend>
            {roles.map((role) => (
              <label key={role.key}>
                <input
                  type="checkbox"
                  checked={chosen.has(role.key)}
                  onChange={({ target }) => toggle(role.key, target.checked)}
                />
                <span>
                  {nameOf(role)} {role.displayName && <code className="muted">{role.key}</code>}{" "}
                  {role.note && <span className="muted">({role.note})</span>}
                </span>
              </label>
            ))}
          </fieldset>
        ))}
        {found.length === 0 && (
          <p className="muted">{choices.length === 0 ? "There are no roles here." : "No role has this name or key."}</p>
        )}
      </div>
    </fieldset>
  );
}

function isFound({ key, displayName, group }: RoleChoice, search: string): boolean {
  const sought = search.trim().toLocaleLowerCase();
  return [key, displayName, group].some((text) => text.toLocaleLowerCase().includes(sought));
}

function byGroup(choices: readonly RoleChoice[]): [group: string, roles: readonly RoleChoice[]][] {
  const groups = Object.groupBy(choices, ({ group }) => group) as Record<string, RoleChoice[]>;
  return Object.entries(groups)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([group, roles]) => [group, roles.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)))]);
}
