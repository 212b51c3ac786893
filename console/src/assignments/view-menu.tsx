import { Columns3 } from "lucide-react";
import { useId } from "react";
import { Choice } from "../parts/choice.tsx";
import { assignmentWords as words } from "../words/assignments.ts";
import { partWords } from "../words/parts.ts";
import { type AssignmentsSearch, defaultPageSize, pageSizes, type Sort, sorts } from "./search.ts";

type Props = { search: AssignmentsSearch; onChange: (search: AssignmentsSearch) => void };

/** The menu for the sort order, the page size and the columns. */
export function ViewMenu({ search, onChange }: Props) {
  const popover = useId();
  const { page: _, skipped: __, asc, ...view } = search;
  const order = asc && { asc };
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
        <Choice
          label={words.sortBy}
          value={sort}
          options={(Object.keys(sorts) as Sort[]).map((one) => [one, words.sorts[one]])}
          onChange={(by) => onChange({ ...view, ...order, sort: by })}
        />
        <Choice
          label={words.direction}
          value={asc ? "up" : "down"}
          options={[
            ["down", directions.down],
            ["up", directions.up],
          ]}
          onChange={(way) => onChange(way === "up" ? { ...view, asc: true } : view)}
        />
        <Choice
          label={words.pageSize}
          value={search.limit ?? defaultPageSize}
          options={pageSizes.map((size) => [size, String(size)])}
          onChange={(limit) => onChange({ ...view, ...order, limit })}
        />
        <fieldset>
          <legend>{words.columnsTitle}</legend>
          {Object.entries(words.columns).map(([id, name]) => (
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
