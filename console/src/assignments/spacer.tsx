/** A placeholder for the rows that are not visible. */
export function Spacer({ height }: { height: number }) {
  return height <= 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a table takes no focus.
    <tr aria-hidden="true" className="spacer">
      {/* One cell: more than there are columns would make columns, and styles hide some where it is narrow. */}
      <td style={{ height }} />
    </tr>
  );
}
