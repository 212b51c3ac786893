import { createHash } from "node:crypto";
import type { Sql } from "sql-template-tag";
import type { MostJson } from "./bounded-result.ts";

/** A statement. If it has a name, it is prepared once on each connection. */
export type Statement = {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
  /** How large the JSON of its result may be (bounded-result.ts). */
  readonly mostJson?: MostJson;
};

/** Gives a fixed statement its name, which prepares it once on each connection. */
export function named(name: string, { text, values }: Sql): Statement {
  return { name, text, values };
}

/** The same for a statement with two forms, one for the only item of a single call and one for many items. */
export function namedFor(items: { readonly length: number }, name: string, { text, values }: Sql): Statement {
  return { name: items.length === 1 ? name : `${name}, many`, text, values };
}

/**
 * Names a composed statement by its text, so Postgres doesn't plan it each time. Use it for statements whose plan
 * doesn't depend on their values. Each named statement takes memory on every connection, so their number is limited. A
 * name means the same text in every process: in a session that another process has used, it must not run a different
 * statement.
 */
export function namedByText({ text, values }: Pick<Statement, "text" | "values">): Statement {
  const known = knownTexts.get(text);
  if (known !== undefined) return { ...known, values };
  if (knownTexts.size >= mostNames) return { text, values };
  const name = `shape ${createHash("sha256").update(text).digest("base64url")}`;
  knownTexts.set(text, { name, text });
  return { name, text, values };
}

/** With one string for each text: pg compares it with what it has prepared, which is quickest for the same string. */
const knownTexts = new Map<string, { readonly name: string; readonly text: string }>();
const mostNames = 300;
