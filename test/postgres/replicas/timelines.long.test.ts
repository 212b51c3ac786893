import sql from "sql-template-tag";
import { expect, test } from "vitest";
import { postgresFeed } from "../../../src/postgres/history/feed.ts";
import { openProbe } from "../../../src/postgres/pool/host-probe.ts";
import { run } from "../../support/cluster.ts";
import { replicatedOfTests, type TestReplica, untilLeftOut } from "../../support/replicated.ts";
import { until } from "../../support/until.ts";

const world = await replicatedOfTests();
const [promoted, left] = world.replicas as [TestReplica, TestReplica];
const { signal } = new AbortController();
await world.primary.database.query("create table notes (text text)");

const feedOf = (primaryUrl: string) => postgresFeed(world.open({ primaryUrl, urls: [] }));
const before = world.open();
await world.untilUsed(before);
const { moment: seen } = await feedOf(world.primary.database.url).look(undefined, signal);
await promoted.query("select pg_promote()");
const texts = sql`select text from notes order by text`;

test("a promoted replica and one that is left on the old timeline are not used, however far they are", async () => {
  await promoted.query("insert into notes values ('new timeline')");
  await untilLeftOut(before, 0, "promoted");
  expect(await before.query(texts, signal)).toEqual([]);

  // Far beyond the position of the new primary.
  await world.primary.database.query("insert into notes select 'old timeline' from generate_series(1, 50000)");
  const isAhead = "select pg_last_wal_replay_lsn() > $1::pg_lsn as ahead";
  const [at] = await promoted.query<{ position: string }>("select pg_current_wal_flush_lsn()::text as position");
  await until("the other replica to be ahead", async () => {
    const [row] = await left.query<{ ahead: boolean }>(isAhead, [at?.position]);
    return row?.ahead;
  });
  const after = world.open({ primaryUrl: promoted.url, urls: [left.url] });
  await untilLeftOut(after, 0, "timeline");
  expect(await after.query(texts, signal)).toEqual([{ text: "new timeline" }]);
  expect(after.replicas()[0]?.answered).toBe(0);
});

test("the feed of the old primary is not continued on a promoted replica, which gives numbers of lost transactions again", async () => {
  const refused = { reason: "RESUME_TOKEN_EXPIRED" };
  await expect(feedOf(promoted.url).look(seen, signal)).rejects.toMatchObject(refused);
  await expect(feedOf(world.primary.database.url).look(seen, signal)).resolves.toMatchObject({ events: [] });
});

test("without the right to see it, the timeline is read from the control file", async () => {
  await world.primary.database.query("create role plain login");
  await world.primary.database.query("grant select on notes to plain");
  const user = (url: string) => url.replace("//postgres@", "//plain@");
  const database = world.open({
    primaryUrl: world.primary.database.url.replace("user=postgres", "user=plain"),
    urls: [user(left.url)],
  });
  await world.untilUsed(database);
  await until("a read that the replica answers", async () => {
    await database.query(texts, signal);
    return database.replicas()[0]?.answered === 1;
  });
});

test("any role may ask a host for its state, and flush the log", async () => {
  const url = world.primary.database.url.replace("user=postgres", "user=plain");
  const probe = openProbe(url);
  expect(await probe.ask()).toMatchObject({ isWritable: true, timeline: 1 });
  probe.close();
  await run(url, "select pg_logical_emit_message(true, 'test', '')");
});
