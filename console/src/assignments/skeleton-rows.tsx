const rows = Array.from({ length: 12 }, (_, index) => index);

/** A placeholder for rows that are loading. */
export function SkeletonRows({ columns }: { columns: number }) {
  return rows.map((row) => (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a table takes no focus.
    <tr key={row} className="skeleton" aria-hidden="true">
      <td colSpan={columns}>
        <span />
      </td>
    </tr>
  ));
}
