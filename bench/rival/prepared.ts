import type pg from "pg";

const names = new Map<string, string>();

/** A statement that each connection parses and plans once; there are as many as there are kinds of callers. */
export function prepared(text: string, values: unknown[]): pg.QueryConfig {
  let name = names.get(text);
  if (name === undefined) {
    name = `statement ${names.size}`;
    names.set(text, name);
  }
  return { name, text, values };
}
