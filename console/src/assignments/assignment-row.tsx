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
};

/** An assignment. Memoized, because every scroll step renders the table, and few of its rows are new. */
export const AssignmentRow = memo(function AssignmentRow({ row, index, isSelected, isOpen, measure, onOpen }: Props) {
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
          onChange={row.getToggleSelectedHandler()}
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
