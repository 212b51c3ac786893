import type { AuthorizationsSearchFilter } from "@authorization-service/client";
import { filterWords } from "../../words/filters.ts";
import { newFilter } from "../content.ts";
import { problemOfAll } from "../limits.ts";
import { FilterEditor } from "./filter-editor.tsx";
import { FilterForm, groupsAt } from "./filter-form.tsx";

type Props = {
  filter: AuthorizationsSearchFilter | undefined;
  /** How many filters it may consist of, including nested ones. */
  room: number;
  onApply: (filter: AuthorizationsSearchFilter) => void;
  onClose: () => void;
};

/** Edits a filter of assignments. */
export function AssignmentFilterEditor({ room, ...props }: Props) {
  return (
    <FilterEditor
      {...props}
      groups={groupsAt(1)}
      newFilter={newFilter}
      kindOf={({ filter }) => filter.case}
      subjectOf={(kind) => filterWords.kinds[kind].subject}
      problemOf={(filter) => problemOfAll(filter, room)}
      fields={(filter, isTold, onChange) => (
        <FilterForm filter={filter} depth={1} isTold={isTold} onChange={onChange} />
      )}
    />
  );
}
