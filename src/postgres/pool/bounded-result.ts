import pg from "pg";

/** Thrown instead of a result whose JSON is larger than its statement allows. */
export class ResultTooLarge extends Error {
  override readonly name = "ResultTooLarge";
  /** How many rows were within the bound. */
  readonly rows: number;

  constructor(rows: number) {
    super(`the result is too large after ${rows} rows`);
    this.rows = rows;
  }
}

/**
 * Reads values as the client does, and gives up when JSON columns have more bytes than this together. The driver then
 * drops the remaining rows as they arrive. Each element of an array counts 64 more, because even the shortest one takes
 * that much once it is read.
 */
export function boundedTypes(client: pg.ClientBase, most: number): pg.CustomTypesConfig {
  let bytes = 0;
  let values = 0;
  let columns = 0;
  const json: number = pg.types.builtins.JSON;
  const getTypeParser = (id: number, format?: "text" | "binary") => {
    const parse = client.getTypeParser(id, format as "text") as (text: string) => unknown;
    if (id !== json) return parse;
    columns += 1;
    return (text: string) => {
      const value = parse(text);
      bytes += Buffer.byteLength(text) + (Array.isArray(value) ? 64 * value.length : 0);
      if (bytes > most) throw new ResultTooLarge(Math.floor(values / columns));
      values += 1;
      return value;
    };
  };
  return { getTypeParser: getTypeParser as pg.CustomTypesConfig["getTypeParser"] };
}
