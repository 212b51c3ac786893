import { createHash } from "node:crypto";
import type { Sql } from "sql-template-tag";

/** A statement; one with a name is prepared once on each connection. */
export type Statement = { readonly name?: string; readonly text: string; readonly values: unknown[] };

/** Gives a fixed statement its name, which prepares it once on each connection. */
export function named(name: string, { text, values }: Sql): Statement {
  return { name, text, values };
}

/** The same for a statement that has two shapes: one about the only item of a single call, and one about many. */
export function namedFor(items: { readonly length: number }, name: string, { text, values }: Sql): Statement {
  return { name: items.length === 1 ? name : `${name}, many`, text, values };
}

/**
 * Names a statement that is put together, by its text, and so keeps Postgres from planning it each time. For statements
 * whose plan does not depend on their values. Each is kept on every connection, so only as many as are worth it. A name
 * means the same text in every process: one that met a session of another must not run something else there.
 */
export function namedByText({ text, values }: Sql): Statement {
  const known = namesByText.get(text);
  if (known !== undefined) return { name: known, text, values };
  if (namesByText.size >= mostNames) return { text, values };
  const name = `shape ${createHash("sha256").update(text).digest("base64url")}`;
  namesByText.set(text, name);
  return { name, text, values };
}

const namesByText = new Map<string, string>();
const mostNames = 100;
