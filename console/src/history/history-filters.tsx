import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { OrganizationPicker } from "../pickers/organization-picker.tsx";
import { ProjectPicker } from "../pickers/project-picker.tsx";
import { UserPicker } from "../pickers/user-picker.tsx";
import { useOrganization, useProject, useUser } from "./picked.ts";
import { RangeFilter } from "./range-filter.tsx";
import {
  type ChangedFilters,
  type EventType,
  eventNames,
  type HistorySearch,
  isFiltered,
  withFilter,
} from "./search.ts";

type Props = { search: HistorySearch; onChange: (search: HistorySearch) => void };

/** The filters of the history. All of them must match. */
export function HistoryFilters({ search, onChange }: Props) {
  const user = useUser(search.user);
  const actor = useUser(search.actor);
  const project = useProject(search.project);
  const organization = useOrganization(search.organization);
  const set = (changed: ChangedFilters) => onChange(withFilter(search, changed));
  return (
    <section className="history-filters" aria-label="Filters">
      <UserPicker label="Whose roles" value={user} onChange={(picked) => set({ user: picked?.id })} />
      <div>
        <UserPicker label="Who did it" value={actor} onChange={(picked) => set({ actor: picked?.id })} />
        <label className="choice">
          <input
            type="checkbox"
            checked={search.actor === ""}
            onChange={({ target }) => set({ actor: target.checked ? "" : undefined })}
          />
          Command line
        </label>
      </div>
      <ProjectPicker label="Project" value={project} onChange={(picked) => set({ project: picked?.id })} />
      <OrganizationPicker
        label="Organization"
        value={organization}
        onChange={(picked) => set({ organization: picked?.id })}
      />
      <TypesFilter types={search.types ?? []} onChange={(types) => set({ types })} />
      <RangeFilter search={search} onChange={set} />
      {search.assignment !== undefined && (
        <p className="history-assignment">
          Only of the assignment{" "}
          <Link to="/" search={{ id: search.assignment }}>
            {search.assignment}
          </Link>
        </p>
      )}
      {isFiltered(search) && (
        <button type="button" onClick={() => onChange({})}>
          Remove all filters
        </button>
      )}
    </section>
  );
}

function TypesFilter(props: { types: readonly EventType[]; onChange: (types: readonly EventType[]) => void }) {
  const { types, onChange } = props;
  const popover = useId();
  const [first] = types;
  const chosen = first === undefined ? "Anything" : types.length === 1 ? eventNames[first] : `${types.length} of these`;
  return (
    <div className="field">
      <span aria-hidden="true">What happened</span>
      <button type="button" popoverTarget={popover} className="types-button" aria-label={`What happened: ${chosen}`}>
        {chosen}
        <span aria-hidden="true">▾</span>
      </button>
      <fieldset id={popover} popover="auto" className="types-menu">
        <legend className="visually-hidden">What happened</legend>
        {Object.entries(eventNames).map(([type, name]) => (
          <label key={type} className="choice">
            <input
              type="checkbox"
              checked={types.includes(type as EventType)}
              onChange={({ target }) =>
                onChange(target.checked ? [...types, type as EventType] : types.filter((one) => one !== type))
              }
            />
            {name}
          </label>
        ))}
      </fieldset>
    </div>
  );
}
