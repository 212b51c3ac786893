import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { nameOf } from "../parts/role-chips.tsx";
import { EverOrganizationPicker } from "../pickers/organization-picker.tsx";
import { EverProjectPicker } from "../pickers/project-picker.tsx";
import { EverUserPicker } from "../pickers/user-picker.tsx";
import { historyWords } from "../words/history.ts";
import { useOrganization, useProject, useUser } from "./picked.ts";
import { RangeFilter } from "./range-filter.tsx";
import { type ChangedFilters, type HistoryKind, type HistorySearch, isFiltered, withFilter } from "./search.ts";
import { TypesFilter } from "./types-filter.tsx";

type Props = { search: HistorySearch; onChange: (search: HistorySearch) => void };

const words = historyWords.filters;

/** The filters of the history. All of them must match. */
export function HistoryFilters({ search, onChange }: Props) {
  const user = useUser(search.user);
  const actor = useUser(search.actor);
  const project = useProject(search.project);
  const role = project?.roles.find(({ key }) => key === search.role);
  const organization = useOrganization(search.organization);
  const set = (changed: ChangedFilters) => onChange(withFilter(search, changed));
  return (
    <section className="history-filters" aria-label={words.title}>
      <KindFilter kind={search.kind} onChange={set} />
      <EverUserPicker label={words.about} value={user} onChange={(picked) => set({ user: picked?.id })} />
      <div>
        <EverUserPicker label={words.by} value={actor} onChange={(picked) => set({ actor: picked?.id })} />
        <label>
          <input
            type="checkbox"
            checked={search.actor === ""}
            onChange={({ target }) => set({ actor: target.checked ? "" : undefined })}
          />
          {historyWords.commandLine}
        </label>
      </div>
      <EverProjectPicker
        label={words.project}
        value={project}
        // A role is one of a project.
        onChange={(picked) => set({ project: picked?.id, role: undefined })}
      />
      <EverOrganizationPicker
        label={words.organization}
        value={organization}
        onChange={(picked) => set({ organization: picked?.id })}
      />
      <TypesFilter search={search} onChange={set} />
      <RangeFilter search={search} onChange={set} />
      {search.assignment !== undefined && (
        <p className="history-only">
          {words.onlyAssignment[0]}{" "}
          <Link to="/" search={{ id: search.assignment }}>
            {words.onlyAssignment[1]}
          </Link>
        </p>
      )}
      {search.role !== undefined && (
        <p className="history-only">
          {words.onlyRole} {role ? <bdi>{nameOf(role)}</bdi> : <code>{search.role}</code>}
        </p>
      )}
      {isFiltered(search) && (
        <button type="button" onClick={() => onChange({})}>
          {words.removeAll}
        </button>
      )}
    </section>
  );
}

/** One history alone. What happened in the other one is then no filter any more. */
function KindFilter(props: { kind: HistoryKind | undefined; onChange: (changed: ChangedFilters) => void }) {
  const { kind, onChange } = props;
  const field = useId();

  function choose(chosen: string) {
    if (chosen === "assignments") onChange({ kind: chosen, kinds: undefined, role: undefined });
    else if (chosen === "directory") onChange({ kind: chosen, types: undefined, assignment: undefined });
    else onChange({ kind: undefined });
  }

  return (
    <div className="field">
      <label htmlFor={field}>{words.kind}</label>
      <select id={field} value={kind ?? ""} onChange={({ target }) => choose(target.value)}>
        <option value="">{words.anyKind}</option>
        {Object.entries(historyWords.ofKind).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
