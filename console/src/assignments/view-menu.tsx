import { Columns3 } from "lucide-react";
import { useId } from "react";
import { partWords } from "../words/parts.ts";
import { columnNames } from "./columns.tsx";
import { type AssignmentsSearch, defaultPageSize, pageSizes, type Sort, sorts } from "./search.ts";

const sortNames: Record<Sort, string> = {
  created: "Created",
  changed: "Changed",
  id: "Id",
  user: "User",
  project: "Project",
  organization: "Organization",
  "user-organization": "Id of the user's own organization",
};

type Props = { search: AssignmentsSearch; onChange: (search: AssignmentsSearch) => void };

/** The menu for the sort order, the page size and the columns. */
export function ViewMenu({ search, onChange }: Props) {
  const popover = useId();
  const { page: _, skipped: __, ...view } = search;
  const hidden = search.hidden ?? [];

  return (
    <>
      <button type="button" popoverTarget={popover} className="view-menu-button" title={partWords.view}>
        <Columns3 aria-hidden="true" />
        <span className="tool-label">{partWords.view}</span>
      </button>
      <fieldset id={popover} popover="auto" className="view-menu">
        <legend className="visually-hidden">View</legend>
        <label>
          Sort by
          <select
            value={search.sort ?? "created"}
            onChange={({ target }) => onChange({ ...view, sort: target.value as Sort })}
          >
            {Object.keys(sorts).map((sort) => (
              <option key={sort} value={sort}>
                {sortNames[sort as Sort]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Direction
          <select
            value={search.asc ? "up" : "down"}
            onChange={({ target }) => {
              const { asc, ...down } = view;
              onChange(target.value === "up" ? { ...down, asc: true } : down);
            }}
          >
            <option value="down">Newest, highest or Z first</option>
            <option value="up">Oldest, lowest or A first</option>
          </select>
        </label>
        <label>
          Rows of a page
          <select
            value={search.limit ?? defaultPageSize}
            onChange={({ target }) => onChange({ ...view, limit: Number(target.value) })}
          >
            {pageSizes.map((size) => (
              <option key={size}>{size}</option>
            ))}
          </select>
        </label>
        <fieldset>
          <legend>Columns</legend>
          {Object.entries(columnNames).map(([id, name]) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={!hidden.includes(id)}
                // Stays on the same page.
                onChange={({ target }) =>
                  onChange({ ...search, hidden: target.checked ? hidden.filter((one) => one !== id) : [...hidden, id] })
                }
              />
              {name}
            </label>
          ))}
        </fieldset>
      </fieldset>
    </>
  );
}
