import type pg from "pg";
import { withClient } from "../test/support/with-client.ts";
import { tokensFor } from "./databases.ts";

export const callerKinds = {
  instance: "the instance owner",
  largest: "the owner of the largest organization (10% of all rows)",
  large: "the owner of an organization with 2% of all rows",
  small: "the owner of an organization with few rows",
  fifty: "a viewer of fifty organizations",
  "two-thousand": "a viewer of 2,000 organizations",
  project: "the owner of a project of the largest organization",
  "ordinary-project": "the owner of a project with a few hundred rows",
  grant: "the owner of a project grant",
  own: "a plain user (own rows only)",
} as const;

export type CallerKind = keyof typeof callerKinds;
export type BenchCaller = { readonly userId: string; readonly token: string };
export type Callers = Record<CallerKind, BenchCaller>;

/**
 * Gives every caller of the world a token of this run; those of earlier runs are worth nothing any more.
 *
 * @param needed the kinds that the world must have; worlds of earlier builds lack some
 */
export function makeTokens<Kind extends CallerKind = CallerKind>(
  connection: pg.ClientConfig,
  needed = Object.keys(callerKinds) as Kind[],
): Promise<Record<Kind, BenchCaller>> {
  return withClient(connection, async (client) => {
    await client.query("delete from tokens");
    const { rows } = await client.query<{ kind: string; user_id: string }>("select kind, user_id from bench.callers");
    const tokens = await tokensFor(
      connection,
      rows.map(({ user_id }) => user_id),
    );
    const callers: Record<string, BenchCaller> = Object.fromEntries(
      rows.map(({ kind, user_id }, index) => [kind, { userId: user_id, token: tokens[index] ?? "" }]),
    );
    const missing = needed.filter((kind) => callers[kind] === undefined);
    if (missing.length > 0) throw new Error(`the world has no caller of the kind ${missing.join(", ")}`);
    return callers as Record<Kind, BenchCaller>;
  });
}
