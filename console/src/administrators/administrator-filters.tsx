import { type Level, rolesOfLevel } from "../directory/administrator-roles.ts";
import { type Changed, withTexts } from "../directory/search.ts";
import { useOrganization, useProject, useUser } from "../history/removals.ts";
import { OrganizationPicker, ProjectPicker, UserPicker } from "../pickers/things.tsx";
import { administratorRole } from "../words/administrator-roles.ts";
import { administratorsWords as words } from "../words/administrators.ts";
import { pageWords } from "../words/pages.ts";
import type { AdministratorsSearch } from "./search.ts";

type Props = { search: AdministratorsSearch; onChange: (search: AdministratorsSearch) => void };

/** Who, in which role, and where: in an organization or in a project. */
export function AdministratorFilters({ search, onChange }: Props) {
  const user = useUser(search.user);
  const organization = useOrganization(search.organization);
  const project = useProject(search.project);
  const nowhere = { organization: undefined, project: undefined, grant: undefined };
  const set = (changed: Changed<AdministratorsSearch>) => onChange(withTexts(search, changed));
  return (
    <section className="page-filters" aria-label={pageWords.filters}>
      <UserPicker label={words.person} value={user} onChange={(picked) => set({ user: picked?.id })} />
      <OrganizationPicker
        label={words.organization}
        value={organization}
        onChange={(picked) => set({ ...nowhere, organization: picked?.id })}
      />
      <ProjectPicker
        label={words.project}
        value={project}
        onChange={(picked) => set({ ...nowhere, project: picked?.id })}
      />
      <label className="field">
        {words.role}
        <select value={search.role ?? ""} onChange={({ target }) => set({ role: target.value || undefined })}>
          <option value="">{words.anyRole}</option>
          {Object.entries(words.levels).map(([level, name]) => (
            <optgroup key={level} label={name}>
              {rolesOfLevel(level as Level).map((role) => (
                <option key={role} value={role}>
                  {administratorRole(role)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
    </section>
  );
}
