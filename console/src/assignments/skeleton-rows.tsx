/** Styles hide some columns where it is narrow, and a cell over more than there are would make another one. */
const fewestColumns = 3;
const rows = Array.from({ length: 12 }, (_, index) => index);

/** A placeholder for rows that are loading. */
export function SkeletonRows() {
  return rows.map((row) => (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a table takes no focus.
    <tr key={row} className="skeleton" aria-hidden="true">
      <td colSpan={fewestColumns}>
        <span />
      </td>
    </tr>
  ));
}
