import type { Row } from "../operation.ts";

export function sameRow(a: Row | undefined, b: Row | undefined): boolean {
  return rowText(a) === rowText(b);
}

export function rowText(row: Row | undefined): string {
  if (row === undefined) return "nothing";
  return `${row.key} ${row.id} ${row.creationDate} ${row.changeDate} ${row.state} [${row.roles}]`;
}
