import sql from "sql-template-tag";
import { expect, onTestFinished, test } from "vitest";
import { replicatedOfTests, type TestReplica, untilLeftOut } from "../../support/replicated.ts";
import { until } from "../../support/until.ts";

/**
 * A replica shows a commit as soon as it has replayed it. The primary shows it only after the synchronous standby has
 * replied, which is this same replica, over a network that holds its replies back.
 */
const world = await replicatedOfTests({ count: 1 });
const replica = world.replicas[0] as TestReplica;
const { signal } = new AbortController();
await world.primary.database.query("create table notes (text text)");
await world.primary.database.query("alter system set synchronous_standby_names = 'replica_1'");
await world.primary.database.query("select pg_reload_conf()");
await until("the standby to be synchronous", async () => {
  const rows = await world.primary.database.query("select from pg_stat_replication where sync_state = 'sync'");
  return rows.length === 1;
});
const database = world.open();

const select = "select text from notes order by text";
const textsOf = (rows: readonly { text?: string }[]) => rows.map(({ text }) => text);
const onPrimary = async () => textsOf(await world.primary.database.query(select));
const onReplica = async () => textsOf(await replica.query(select));
const read = async () => textsOf(await database.query<{ text: string }>({ text: select, values: [] }, signal));

/** Resolves once the write's commit is replayed, while the primary waits to hear so. */
async function writeUnheard(text: string): Promise<{ acknowledge(): Promise<void> }> {
  const release = replica.upstream.hold();
  // Otherwise, a test that fails would wait for the write.
  onTestFinished(() => release?.());
  const acknowledged = database.transaction(signal, ({ query }) => query(sql`insert into notes values (${text})`));
  await until("the commit on the replica", async () => (await onReplica()).includes(text));
  return {
    async acknowledge() {
      release?.();
      await acknowledged;
    },
  };
}

test("a replica shows a commit before the primary does, but no read shows it", async () => {
  await world.untilUsed(database);
  const { acknowledge } = await writeUnheard("early");
  expect(await read()).toEqual([]);
  // That read came in the middle of it.
  expect([await onReplica(), await onPrimary()]).toEqual([["early"], []]);
  await untilLeftOut(database, 0, "ahead");
  await acknowledge();
  expect(await read()).toEqual(["early"]);
  await world.untilUsed(database);
  expect(await read()).toEqual(["early"]);
  expect(database.replicas()[0]?.answered).toBeGreaterThan(0);
});

test("a replica shows commits in another order than the primary, but no read shows it", async () => {
  await world.primary.database.query("truncate notes");
  await world.untilUsed(database);
  const { acknowledge } = await writeUnheard("first on the replica");
  await replica.pauseReplay();
  // This session does not wait for the standby.
  await world.primary.database.query(
    "with local as (select set_config('synchronous_commit', 'local', true)) insert into notes select 'first on the primary' from local",
  );
  expect([await onReplica(), await onPrimary()]).toEqual([["first on the replica"], ["first on the primary"]]);
  expect(await read()).toEqual(["first on the primary"]);
  await acknowledge();
  expect(await onReplica()).toEqual(["first on the replica"]);
  expect(await read()).toEqual(["first on the primary", "first on the replica"]);
  await replica.query("select pg_wal_replay_resume()");
  await world.untilUsed(database);
});
