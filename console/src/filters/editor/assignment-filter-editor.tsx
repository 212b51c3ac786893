import type { AuthorizationsSearchFilter } from "@authorization-service/client";
import { filterWords } from "../../words/filters.ts";
import { groupOf, groups, kindNames, newFilter } from "../content.ts";
import { problemOfAll } from "../limits.ts";
import { FilterEditor } from "./filter-editor.tsx";
import { AnyFilterForm } from "./group-form.tsx";

type Props = {
  filter: AuthorizationsSearchFilter | undefined;
  /** How many filters it may consist of, including nested ones. */
  room: number;
  opener: HTMLElement;
  onApply: (filter: AuthorizationsSearchFilter) => void;
  onClose: () => void;
};

/** Edits a filter of assignments. */
export function AssignmentFilterEditor({ room, ...props }: Props) {
  return (
    <FilterEditor
      {...props}
      groups={groups
        // A group needs room for a nested filter.
        .filter((group) => group !== "groups" || room > 1)
        .map((group) => ({
          name: filterWords.groups[group],
          kinds: kindNames
            .filter((kind) => groupOf(kind) === group)
            .map((kind) => [kind, filterWords.kinds[kind].name]),
        }))}
      newFilter={newFilter}
      kindOf={({ filter }) => filter.case}
      subjectOf={(kind) => filterWords.kinds[kind].subject}
      problemOf={(filter) => problemOfAll(filter, room)}
      fields={(filter, isTold, onChange) => (
        <AnyFilterForm filter={filter} depth={1} room={room} isTold={isTold} onChange={onChange} />
      )}
    />
  );
}
