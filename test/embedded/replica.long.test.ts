import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openEmbeddedReplica } from "../support/embedded-replica.ts";
import { startOwnPostgres } from "../support/own-postgres.ts";
import { scratchFolder } from "../support/scratch-postgres.ts";

test("a replica is built although an earlier one left its slot", async () => {
  const primary = await startOwnPostgres();
  onTestFinished(() => primary.stop());
  const folder = await mkdtemp(join(await scratchFolder(), "replica-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await primary.database.query("select pg_create_physical_replication_slot('left', true)");

  const replica = await openEmbeddedReplica({ primary, dataDirectory: folder, name: "left" });
  onTestFinished(() => replica.stop());

  await expect
    .poll(() => primary.database.query("select active from pg_replication_slots"))
    .toEqual([{ active: true }]);
});
