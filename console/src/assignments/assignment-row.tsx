import type { Authorization } from "@authorization-service/client";
import { Pencil } from "lucide-react";
import { memo } from "react";
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
  /** Selects or clears the row, or all rows from the one before up to it. */
  onSelect: (id: string, isSelected: boolean, isRange: boolean) => void;
};

/** An assignment. Memoized, because every scroll step renders the table, and few of its rows are new. */
export const AssignmentRow = memo(function AssignmentRow(props: Props) {
  const { row, columns, index, isSelected, isOpen, measure, onOpen, onEdit, onSelect } = props;
  const { id, user, project } = row;
  return (
    <tr
      ref={measure}
      data-index={index}
      data-open={isOpen || undefined}
      data-selected={isSelected || undefined}
      aria-rowindex={index + 2}
      onClick={({ target }) => {
        if (target instanceof Element && target.closest("input, label, button, a") === null) onOpen(id);
      }}
    >
      <td className="cell-check">
        <input
          type="checkbox"
          aria-label={words.select(`${user?.displayName || user?.id}`, `${project?.name}`)}
          checked={isSelected}
          onChange={({ nativeEvent }) =>
            onSelect(id, !isSelected, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
        />
      </td>
      {columns.map((column) =>
        column.id === "user" ? (
          <th key={column.id} scope="row" data-column="user" title={column.whole?.(row)}>
            <button type="button" className="opener" onClick={() => onOpen(id)}>
              {column.cell(row)}
            </button>
          </th>
        ) : (
          <td key={column.id} data-column={column.id} title={column.whole?.(row)}>
            {column.cell(row)}
            {column.id === "roles" && onEdit && (
              <button
                type="button"
                className="plain cell-edit"
                aria-label={words.editRoles(`${user?.displayName || user?.id}`, `${project?.name}`)}
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
