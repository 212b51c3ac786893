import type pg from "pg";
import { newActor } from "../../src/authorization/actor.ts";
import { applyStaged } from "../../src/postgres/directory/apply-changes.ts";
import { lockDirectory } from "../../src/postgres/directory/directory-locks.ts";
import { createStagingTables, stageStream } from "../../src/postgres/directory/staging.ts";
import { inTurn } from "../../src/postgres/pool/own-connection.ts";
import { placed } from "./placed-changes.ts";

/**
 * Applies changes by what an import is made of. An import opens a connection and makes its staging tables, which takes
 * Postgres four times as long as the few changes of a test; here each connection makes them once.
 */
export function openLoader(pool: pg.Pool): (...changes: object[]) => Promise<void> {
  const ready = new WeakSet<pg.PoolClient>();

  return async (...changes) => {
    const client = await pool.connect();
    try {
      if (!ready.has(client)) await client.query(createStagingTables);
      ready.add(client);
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
  const { count, tables } = await stageStream(client, placed(changes), () => {});
  const connection = inTurn(client);
  const many = count >= 10_000;
  await client.query(lockDirectory);
  const staged = { tables, many, keepOwner: false, isLimited: false };
  await applyStaged(connection, staged, newActor(undefined, ""), () => {});
}
