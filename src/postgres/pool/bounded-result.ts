import pg from "pg";

/** How many bytes of JSON a result may have, and whether those of its first row don't count. */
export type MostJson = { readonly bytes: number; readonly besidesFirst: boolean };

/** In place of JSON for which there is no room, and of what follows. */
export const leftOut = Symbol("left out");

/**
 * Reads values as the client does, but leaves out JSON columns when they have too many bytes together. Each element of an
 * array counts 64 more, because even the shortest one takes that much once it is read.
 */
export function boundedTypes(client: pg.ClientBase, most: MostJson): pg.CustomTypesConfig {
  let bytes = 0;
  let values = 0;
  let columns = 0;
  const json: number = pg.types.builtins.JSON;
  const getTypeParser = (id: number, format?: "text" | "binary") => {
    const parse = client.getTypeParser(id, format as "text") as (text: string) => unknown;
    if (id !== json) return parse;
    columns += 1;
    return (text: string) => {
      const isFirst = values < columns;
      values += 1;
      if (!isFirst && bytes > most.bytes) return leftOut;
      const value = parse(text);
      bytes += Buffer.byteLength(text) + (Array.isArray(value) ? 64 * value.length : 0);
      return bytes <= most.bytes || (isFirst && most.besidesFirst) ? value : leftOut;
    };
  };
  return { getTypeParser: getTypeParser as pg.CustomTypesConfig["getTypeParser"] };
}
