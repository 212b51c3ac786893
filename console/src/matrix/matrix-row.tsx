import { memo } from "react";
import { Who } from "../assignments/who.tsx";
import { useCaller } from "../caller.ts";
import { differenceOf, keysOf } from "../changes/role-difference.ts";
import { may } from "../directory/rights.ts";
import { announce } from "../parts/announcements.tsx";
import { personName } from "../parts/links.tsx";
import { matrixWords as words } from "../words/matrix.ts";
import { type Column, cellOf, type Edits, isAssignable, type Row } from "./cells.ts";

type Props = {
  row: Row;
  /** Its index, from 0. */
  index: number;
  columns: readonly Column[];
  isOfRoles: boolean;
  edits: Edits;
  /** The column of the cell that Tab leads to, if it is in this row. */
  current: number | undefined;
  /** Toggles the role of a cell, or opens the roles of the project. */
  onPress: (row: Row, column: Column) => void;
  onFocus: (row: number, column: number) => void;
};

/** A person in an organization. Memoized, because every scroll step renders the table, and few of its rows are new. */
export const MatrixRow = memo(function MatrixRow(props: Props) {
  const { row, index, columns, isOfRoles, edits, current, onPress, onFocus } = props;
  const caller = useCaller();
  return (
    <tr data-index={index} aria-rowindex={index + 2}>
      <th scope="row" data-column="user">
        <Who user={row.user} />
      </th>
      {isOfRoles && (
        <td data-column="organization">
          <bdi title={row.organization.name}>{row.organization.name}</bdi>
        </td>
      )}
      {columns.map((column, at) => {
        const { assignment, wanted, isChosen, names, lack } = cellOf(row, column, isOfRoles, edits);
        const held = keysOf(assignment);
        // A role that is held can be removed all the same, and one that was chosen while it was granted.
        const isBarred = isOfRoles && !held.has(column.id) && !isChosen && !isAssignable(row, column);
        const why = isBarred ? words.notGranted(column.name, row.organization.name) : undefined;
        const isReadOnly = isBarred || !may(caller, "user.grant.write", assignment);
        const difference = Object.entries(differenceOf(held, wanted));
        const changes = difference.filter(([, keys]) => (isOfRoles ? keys.includes(column.id) : keys.length > 0));
        const edited = changes.map(([kind]) => (kind === "added" ? "+" : "−")).join("");
        const text = names.join(", ");
        const holds = why ?? (isOfRoles ? isChosen : text);
        const press = () => (why ? announce({ failed: true, text: why }) : isReadOnly || onPress(row, column));
        return (
          <td
            key={column.id}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: it is in a grid.
            role="gridcell"
            data-cell={`${index} ${at}`}
            data-edited={edited || undefined}
            data-chosen={(isChosen && lack === undefined) || undefined}
            aria-readonly={isReadOnly || undefined}
            {...(isOfRoles && { "aria-selected": isChosen })}
            aria-label={words.cell(personName(row.user), column.name, holds, lack, edited !== "")}
            tabIndex={at === current ? 0 : -1}
            onFocus={() => onFocus(index, at)}
            onClick={press}
            onKeyDown={(event) => {
              if (event.key !== " " && event.key !== "Enter") return;
              event.preventDefault();
              press();
            }}
          >
            <span aria-hidden="true" title={why ?? (text || undefined)}>
              {isOfRoles ? (isBarred ? "–" : (lack ?? ((isChosen || edited) && "✓"))) : text}
              {!isOfRoles && lack && ` (${lack})`}
            </span>
          </td>
        );
      })}
    </tr>
  );
});
