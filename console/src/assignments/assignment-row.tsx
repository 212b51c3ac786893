import type { Authorization } from "@authorization-service/client";
import { Pencil } from "lucide-react";
import { memo } from "react";
import { type Selection, SelectRow } from "../parts/selection.tsx";
import { assignmentWords as words } from "../words/assignments.ts";
import type { Column } from "./columns.tsx";

type Props = {
  row: Authorization;
  /** Its index on the page, from 0. */
  index: number;
  isSelected: boolean;
  isOpen: boolean;
  /** Those that are visible. */
  columns: readonly Column[];
  /** Measures the row's height. */
  measure: (element: HTMLElement | null) => void;
  onOpen: (id: string) => void;
  /** Edits the roles in their cell. Undefined for callers who may not. */
  onEdit: ((row: Authorization, opener: HTMLElement) => void) | undefined;
  onSelectUpTo: Selection<Authorization>["onSelectUpTo"];
};

/** An assignment. Memoized, because every scroll step renders the table, and few of its rows are new. */
export const AssignmentRow = memo(function AssignmentRow(props: Props) {
  const { row, columns, index, isSelected, isOpen, measure, onOpen, onEdit, onSelectUpTo } = props;
  const [person, project] = [`${row.user?.displayName || row.user?.id}`, `${row.project?.name}`];
  return (
    <tr
      ref={measure}
      data-index={index}
      data-open={isOpen || undefined}
      data-selected={isSelected || undefined}
      aria-rowindex={index + 2}
      onClick={({ target }) => {
        if (target instanceof Element && target.closest("input, label, button, a") === null) onOpen(row.id);
      }}
    >
      <SelectRow
        id={row.id}
        label={words.select(person, project)}
        isSelected={isSelected}
        onSelectUpTo={onSelectUpTo}
      />
      {columns.map(({ id, cell, whole }) =>
        id === "user" ? (
          <th key={id} scope="row" data-column={id} title={whole?.(row)}>
            <button type="button" className="opener" onClick={() => onOpen(row.id)}>
              {cell(row)}
            </button>
          </th>
        ) : (
          <td key={id} data-column={id} title={whole?.(row)}>
            {cell(row)}
            {id === "roles" && onEdit && (
              <button
                type="button"
                className="plain cell-edit"
                aria-label={words.editRoles(person, project)}
                aria-haspopup="dialog"
                onClick={({ currentTarget }) => onEdit(row, currentTarget)}
              >
                <Pencil aria-hidden="true" />
              </button>
            )}
          </td>
        ),
      )}
    </tr>
  );
});
