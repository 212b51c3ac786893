import type pg from "pg";
import { newActor } from "../../src/authorization/actor.ts";
import type { PlacedChange } from "../../src/directory/change.ts";
import { applyStaged } from "../../src/postgres/directory/apply/apply-changes.ts";
import { lockDirectory } from "../../src/postgres/directory/apply/directory-locks.ts";
import { stageInParameters } from "../../src/postgres/directory/stage/staging.ts";
import { inTurn } from "../../src/postgres/pool/own-connection.ts";
import { placed } from "./placed-changes.ts";

/**
 * Applies changes by what an import is made of. An import opens a connection and makes temporary tables, which takes Postgres
 * longer than the few changes of a test; here the changes are staged like those of a request.
 */
export function openLoader(pool: pg.Pool): (...changes: object[]) => Promise<void> {
  return async (...changes) => {
    const client = await pool.connect();
    try {
      await client.query("begin isolation level read committed");
      await apply(client, changes);
      await client.query("commit");
    } catch (error) {
      // Closing the connection rolls back.
      client.release(true);
      throw error;
    }
    client.release();
  };
}

async function apply(client: pg.PoolClient, changes: readonly object[]): Promise<void> {
  const given: PlacedChange[] = [];
  for await (const change of placed(changes)) given.push(change);
  await client.query(lockDirectory);
  await applyStaged(stageInParameters(inTurn(client), given), newActor(undefined, ""), () => {});
}
