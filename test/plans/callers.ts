import type pg from "pg";
import { type CallerKind, callerKinds } from "../../bench/callers.ts";
import { type Caller as Asker, type Visibility, visibilityOf } from "../../src/authorization/permissions.ts";
import { postgresCallers } from "../../src/postgres/caller/caller-store.ts";
import type { Database } from "../../src/postgres/pool/database.ts";
import { withClient } from "../support/with-client.ts";
import { countHeld } from "./bound.ts";

/** A caller of the bench world, what it sees, and how many authorizations these are. */
export type Caller = {
  readonly kind: CallerKind;
  readonly asker: Asker;
  readonly visibility: Visibility;
  readonly held: number;
};

export const kinds = ["instance", "largest", "fifty", "project", "grant", "own"] as const satisfies CallerKind[];

/** Reads their rights as the service does. */
export function findCallers(connection: pg.ClientConfig, database: Database): Promise<Caller[]> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ kind: CallerKind; user_id: string }>(
      "select kind, user_id from bench.callers",
    );
    const callers = [];
    for (const kind of kinds) {
      const userId = rows.find((row) => row.kind === kind)?.user_id ?? "";
      const asker = await postgresCallers(database).findByUserId(userId, new AbortController().signal);
      if (asker === undefined) throw new Error(`the world has no caller such as ${callerKinds[kind]}`);
      const visibility = visibilityOf(asker);
      callers.push({ kind, asker, visibility, held: await countHeld(client, visibility) });
    }
    return callers;
  });
}
