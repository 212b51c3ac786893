import type { Authorization } from "@authorization-service/client";
import { FlexRender, type Row } from "@tanstack/react-table";
import { memo } from "react";
import type { features } from "./columns.tsx";

type Props = {
  row: Row<typeof features, Authorization>;
  /** Its index on the page, from 0. */
  index: number;
  isSelected: boolean;
  isOpen: boolean;
  /** The visible columns. Cells are rendered again if this is another object. */
  columnVisibility: Record<string, boolean>;
  /** Measures the row's height. */
  measure: (element: HTMLElement | null) => void;
  onOpen: (id: string) => void;
  /** Selects or clears the row, or all rows from the one before up to it. */
  onSelect: (id: string, isSelected: boolean, isRange: boolean) => void;
};

/** An assignment. Memoized, because every scroll step renders the table, and few of its rows are new. */
export const AssignmentRow = memo(function AssignmentRow(props: Props) {
  const { row, index, isSelected, isOpen, measure, onOpen, onSelect } = props;
  const { id, user, project } = row.original;
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
          aria-label={`Select ${user?.displayName || user?.id}, ${project?.name}`}
          checked={isSelected}
          onChange={({ nativeEvent }) =>
            onSelect(id, !isSelected, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
        />
      </td>
      {row.getVisibleCells().map((cell) =>
        cell.column.id === "user" ? (
          <th key={cell.id} scope="row" data-column="user">
            <button type="button" className="opener" onClick={() => onOpen(id)}>
              <FlexRender cell={cell} />
            </button>
          </th>
        ) : (
          <td key={cell.id} data-column={cell.column.id}>
            <FlexRender cell={cell} />
          </td>
        ),
      )}
    </tr>
  );
});
