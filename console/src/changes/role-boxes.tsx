import { useMemo, useState } from "react";
import { nameOf } from "../parts/role-chips.tsx";
import { rolesWords as words } from "../words/assignment-changes.ts";
import { locale } from "../words/language/language.ts";
import { FindField } from "./find-field.tsx";
import type { RoleChoice } from "./offered-roles.ts";

type Props = {
  legend: string;
  choices: readonly RoleChoice[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  /** How many more there are that can't be shown. */
  unlisted?: number;
  /** Whether all of them can be selected at once. */
  hasAll?: boolean;
};

/** The most roles that people can take in at a glance. */
const manyRoles = 12;
/** How many boxes are rendered. A thousand would block the page for half a second. A search finds the others. */
const mostShown = 100;

/** Roles to select, by group, with a search if there are many. */
export function RoleBoxes({ legend, choices, chosen, onChange, unlisted = 0, hasAll }: Props) {
  const [search, setSearch] = useState("");
  // Roles that are selected at first come first, however many there are.
  const [first] = useState(chosen);
  const sorted = useMemo(() => [...choices].sort(byGroupAndName), [choices]);
  const isLong = choices.length > manyRoles;
  const found = isLong ? sorted.filter((choice) => isFound(choice, search)) : sorted;
  const shown = found
    .toSorted((one, other) => Number(first.has(other.key)) - Number(first.has(one.key)))
    .slice(0, mostShown)
    .sort(byGroupAndName);

  function toggle(key: string, isChosen: boolean) {
    const others = [...chosen].filter((one) => one !== key);
    onChange(new Set(isChosen ? [...others, key] : others));
  }

  return (
    <fieldset className="stack role-boxes">
      <legend>{legend}</legend>
      {hasAll && choices.length > 1 && (
        <label>
          <input
            type="checkbox"
            checked={choices.every(({ key }) => chosen.has(key))}
            onChange={({ target }) => onChange(new Set(target.checked ? choices.map(({ key }) => key) : []))}
          />
          <span>{words.all}</span>
        </label>
      )}
      {isLong && (
        <FindField label={words.find} text={search} onChange={setSearch}>
          {words.found(found.length, choices.length)}
        </FindField>
      )}
      {unlisted > 0 && <p className="muted">{words.unlisted(unlisted)}</p>}
      <div className="role-groups">
        {[...Map.groupBy(shown, ({ group }) => group)].map(([group, ofGroup]) => (
          <fieldset key={group} className="role-group">
            <legend>{group || words.noGroup}</legend>
            {ofGroup.map((role) => (
              <RoleBox key={role.key} role={role} isChosen={chosen.has(role.key)} onToggle={toggle} />
            ))}
          </fieldset>
        ))}
        {found.length === 0 && <p className="muted">{choices.length === 0 ? words.none : words.notFound}</p>}
      </div>
      {found.length > mostShown && <p className="muted">{words.onlyFirst(mostShown)}</p>}
    </fieldset>
  );
}

type BoxProps = { role: RoleChoice; isChosen: boolean; onToggle: (key: string, isChosen: boolean) => void };

function RoleBox({ role, isChosen, onToggle }: BoxProps) {
  return (
    <label>
      <input type="checkbox" checked={isChosen} onChange={({ target }) => onToggle(role.key, target.checked)} />
      <span>
        {nameOf(role)} {role.displayName && <code className="muted">{role.key}</code>}{" "}
        {role.note && <span className="muted">({role.note})</span>}
        {role.description && <span className="muted lines">{role.description}</span>}
      </span>
    </label>
  );
}

function isFound({ key, displayName, group }: RoleChoice, search: string): boolean {
  const sought = search.trim().toLocaleLowerCase();
  return [key, displayName, group].some((text) => text.toLocaleLowerCase().includes(sought));
}

// Much faster than localeCompare, which creates a new collator each time.
const { compare } = new Intl.Collator(locale, { numeric: true });

function byGroupAndName(one: RoleChoice, other: RoleChoice): number {
  return compare(one.group, other.group) || compare(nameOf(one), nameOf(other));
}
