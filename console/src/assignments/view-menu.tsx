import { Columns3 } from "lucide-react";
import { useId } from "react";
import { assignmentWords as words } from "../words/assignments.ts";
import { partWords } from "../words/parts.ts";
import { columnNames } from "./columns.tsx";
import { type AssignmentsSearch, defaultPageSize, pageSizes, type Sort, sorts } from "./search.ts";

type Props = { search: AssignmentsSearch; onChange: (search: AssignmentsSearch) => void };

/** The menu for the sort order, the page size and the columns. */
export function ViewMenu({ search, onChange }: Props) {
  const popover = useId();
  const { page: _, skipped: __, ...view } = search;
  const hidden = search.hidden ?? [];
  const sort = search.sort ?? "created";
  const directions = words.directions(sort);

  return (
    <>
      <button type="button" popoverTarget={popover} className="view-menu-button" title={partWords.view}>
        <Columns3 aria-hidden="true" />
        <span className="tool-label">{partWords.view}</span>
      </button>
      <fieldset id={popover} popover="auto" className="menu view-menu">
        <legend className="visually-hidden">{partWords.view}</legend>
        <label>
          {words.sortBy}
          <select value={sort} onChange={({ target }) => onChange({ ...view, sort: target.value as Sort })}>
            {Object.keys(sorts).map((one) => (
              <option key={one} value={one}>
                {words.sorts[one as Sort]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.direction}
          <select
            value={search.asc ? "up" : "down"}
            onChange={({ target }) => {
              const { asc, ...down } = view;
              onChange(target.value === "up" ? { ...down, asc: true } : down);
            }}
          >
            <option value="down">{directions.down}</option>
            <option value="up">{directions.up}</option>
          </select>
        </label>
        <label>
          {words.pageSize}
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
          <legend>{words.columnsTitle}</legend>
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
