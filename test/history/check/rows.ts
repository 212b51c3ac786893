import type { Moment, Row } from "../operation.ts";

export function sameRow(a: Row | undefined, b: Row | undefined): boolean {
  return rowText(a) === rowText(b);
}

export function rowText(row: Row | undefined): string {
  if (row === undefined) return "nothing";
  const { key, id, creationDate, changeDate, state, roles, expirationDate, expired } = row;
  return `${key} ${id} ${creationDate} ${changeDate} ${state} [${roles}] ${expirationDate} ${expired}`;
}

/** How it is shown from its end on, whether anyone has written that or not (docs/reference/changes.md). */
export function ended(row: Row): Row {
  if (row.state === "inactive" || row.expirationDate === undefined) return row;
  return { ...row, state: "inactive", expired: true, changeDate: Math.max(row.expirationDate, row.changeDate + 1) };
}

export function hasPassed(end: Moment | undefined, at: Moment): boolean {
  return end !== undefined && end <= at;
}
