/** The first row of a statement that always finds one. */
export function firstRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error("a statement that always finds a row found none");
  return row;
}
