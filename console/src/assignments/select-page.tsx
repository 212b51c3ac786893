import type { Authorization } from "@authorization-service/client";
import type { Table } from "@tanstack/react-table";
import type { ReactNode } from "react";
import type { features } from "./columns.tsx";

/** Selects all rows of the page, or none of them. The children are its label. */
export function SelectPage({ table, children }: { table: Table<typeof features, Authorization>; children: ReactNode }) {
  const isEmpty = table.getRowModel().rows.length === 0;
  return (
    <label className="select-page">
      <input
        type="checkbox"
        disabled={isEmpty}
        checked={!isEmpty && table.getIsAllRowsSelected()}
        ref={(box) => {
          if (box) box.indeterminate = table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected();
        }}
        onChange={table.getToggleAllRowsSelectedHandler()}
      />
      {children}
    </label>
  );
}
