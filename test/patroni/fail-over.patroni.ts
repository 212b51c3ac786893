import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrate } from "../../src/postgres/migrations/migrations.ts";
import { grantToService } from "../../src/postgres/migrations/service-role.ts";
import { type Running, runCommand, urlOf } from "../support/command.ts";
import { useDatabase } from "../support/database.ts";
import { until } from "../support/until.ts";
import { withClient } from "../support/with-client.ts";
import { type Cluster, type Promoted, startCluster } from "./cluster.ts";
import type { Member } from "./member.ts";
import { guided } from "./settings.ts";
import { type Call, startWriters, type Write, type Writers, writersWorld } from "./writers.ts";

let cluster: Cluster;
let servers: readonly [Running, Running];
let writers: Writers;
const service = "authz_service";
const password = "of-service";
const summary: Record<string, string | number>[] = [];

beforeAll(async () => {
  cluster = await startCluster();
  const leader = await cluster.untilFullStrength();
  const token = await prepare(leader);
  servers = [await cluster.serve(serverSettings()), await cluster.serve(serverSettings())];
  const urls = await Promise.all(servers.map((server) => urlOf(server)));
  writers = startWriters([urls[0] ?? "", urls[1] ?? ""], token);
});

afterAll(async () => {
  await writers?.stop();
  for (const server of servers ?? []) server.process.kill("SIGTERM");
  await Promise.all((servers ?? []).map(({ ended }) => ended));
  await cluster?.stop();
  console.table(summary);
});

test("The guide fences the leader with a watchdog, which is the one setting that this test leaves out", () => {
  expect(guided().watchdog).toEqual({ mode: "required" });
});

type Fault = (leader: Member) => Promise<() => Promise<void>>;

describe("Patroni promotes a standby, the servers continue there, and nothing acknowledged is lost", () => {
  test.each<[string, Fault]>([
    [
      "when the leader is killed",
      async (leader) => {
        await leader.kill();
        return leader.start;
      },
    ],
    [
      "when the leader hangs and runs on later",
      async (leader) => {
        const resume = await leader.pause();
        return async () => resume();
      },
    ],
    [
      "when the leader is cut off from everything",
      (leader) => swallow(leader, ["etcd", "replication", "rest", "clients"]),
    ],
    ["when the leader is cut off from etcd", (leader) => swallow(leader, ["etcd"])],
    [
      "when an operator switches over",
      async (leader) => {
        await cluster.switchOver(leader);
        return async () => {};
      },
    ],
  ])("%s", async (name, harm) => {
    const leader = await cluster.untilFullStrength();
    await untilBothContinue(performance.now());
    const promotion = await cluster.watchPromotion(leader);
    const before = writers.writes.length;
    const harmedAt = performance.now();
    let repair = async () => {};
    let next: Promoted;
    try {
      repair = await harm(leader);
      next = await promotion.promoted;
      await untilBothContinue(next.at);
    } finally {
      await promotion.close();
      await repair();
    }
    const confirmed = Math.round((await next.confirmed) - next.at);
    const [reads, changes] = [continuedAfter(next.at, writers.reads), continuedAfter(next.at, writers.writes)];
    expect(await cluster.untilFullStrength()).not.toBe(leader);
    await expectNothingLost(name, before, {
      "promoted after s": seconds(next.at - harmedAt),
      "no change for s": seconds(longestPause(harmedAt, next.at)),
      "reads after ms": reads.join(),
      "a standby confirms after ms": confirmed,
      "changes after ms": changes.join(),
    });
    expect(Math.max(...reads)).toBeLessThan(2_000);
    // Before a standby of the new leader confirms commits, nothing can be acknowledged.
    expect(Math.max(...changes) - confirmed).toBeLessThan(2_000);
  });
});

test.each<[string, keyof Member["ways"], (leader: Member) => Promise<void>]>([
  ["when the servers can't reach the leader for a while", "clients", async () => {}],
  ["when no standby can reach the leader for a while", "replication", (leader) => cluster.untilNoticedAlone(leader)],
])("The servers continue on the same leader and lose no acknowledged change, %s", async (name, way, untilNoticed) => {
  const leader = await cluster.untilFullStrength();
  await untilBothContinue(performance.now());
  const before = writers.writes.length;
  const repair = await cut(leader, [way]);
  const harmedAt = performance.now();
  try {
    await untilNoticed(leader);
    const noticedAt = performance.now();
    await until("a change of each server that is not acknowledged", () =>
      bothServers.every((server) =>
        writers.writes.some((one) => one.server === server && one.outcome !== "done" && one.start > noticedAt),
      ),
    );
    const late = writers.writes.filter(({ outcome, start }) => outcome === "done" && start > harmedAt);
    expect(late).toEqual([]);
  } finally {
    await repair();
  }
  const repairedAt = performance.now();
  await untilBothContinue(repairedAt);
  const [reads, changes] = [continuedAfter(repairedAt, writers.reads), continuedAfter(repairedAt, writers.writes)];
  expect(await cluster.untilFullStrength()).toBe(leader);
  await expectNothingLost(name, before, { "reads after ms": reads.join(), "changes after ms": changes.join() });
});

test("The stored totals and dates are right in the end", async () => {
  await cluster.untilFullStrength();
  await writers.stop();
  expect(await runCommand(["check"], { env: serverSettings() })).toMatchObject({ code: 0 });
});

/** As the guide lists the hosts, by way of the proxies. */
function serverSettings(): Record<string, string> {
  const hosts = cluster.members.map(({ ways }) => new URL(ways.clients.url).host);
  const url = (host: string) => `postgres://${service}:${password}@${host}/authz`;
  return { DATABASE_URL: url(hosts.join(",")), DATABASE_REPLICA_URLS: hosts.map(url).join(" ") };
}

/** A database with a least-privilege role, and a token. */
async function prepare(leader: Member): Promise<string> {
  await withClient(leader.connection, (client) => client.query("create database authz"));
  const { host, port, user, password: own } = new pg.Client(leader.connection);
  const url = `postgres://${user}:${own}@${host}:${port}/authz`;
  await migrate({ connectionString: url });
  const database = useDatabase(url, async () => {});
  try {
    await database.query(`create role ${service} login password '${password}'`);
    await grantToService({ connectionString: url }, service);
    await database.import(...writersWorld);
    return await database.token("root", 86_400);
  } finally {
    await database.drop();
  }
}

async function swallow(leader: Member, names: readonly (keyof Member["ways"])[]): Promise<() => Promise<void>> {
  for (const name of names) leader.ways[name].swallow();
  return async () => {
    for (const name of names) {
      // What was swallowed never comes, so its connections can only break.
      await leader.ways[name].cut();
      await leader.ways[name].restore();
    }
  };
}

async function cut(leader: Member, names: readonly (keyof Member["ways"])[]): Promise<() => Promise<void>> {
  for (const name of names) await leader.ways[name].cut();
  return async () => {
    for (const name of names) await leader.ways[name].restore();
  };
}

const bothServers = [0, 1];

/** Until each has acknowledged a change and answered a read. */
async function untilBothContinue(since: number): Promise<void> {
  await until("both servers to continue", () =>
    [writers.reads, writers.writes].every((calls) => continuedAfter(since, calls).every((ms) => !Number.isNaN(ms))),
  );
}

/** For each server, how long after a moment its first success came, in milliseconds. */
function continuedAfter(moment: number, calls: readonly Call[]): number[] {
  return bothServers.map((server) => {
    const first = calls.find((one) => one.end > moment && one.server === server && one.outcome === "done");
    return Math.round((first?.end ?? Number.NaN) - moment);
  });
}

/** How long a server acknowledged no change around a promotion, in milliseconds. */
function longestPause(since: number, promotedAt: number): number {
  const pauses = bothServers.map((server) => {
    const done = writers.writes.filter((one) => one.server === server && one.outcome === "done");
    const last = done.findLast(({ end }) => end <= promotedAt)?.end ?? since;
    return (done.find(({ end }) => end > promotedAt)?.end ?? Number.NaN) - last;
  });
  return Math.max(...pauses);
}

const seconds = (ms: number) => Number((ms / 1_000).toFixed(1));

/** Compares everything that was answered so far with the events of the leader. */
async function expectNothingLost(fault: string, before: number, times: Record<string, string | number>): Promise<void> {
  const leader = await cluster.untilFullStrength();
  const answered = [...writers.writes];
  const connection = { ...leader.connection, database: "authz" };
  const { rows } = await withClient(connection, (client) =>
    client.query<{ reason: string }>("select reason from events where reason <> ''"),
  );
  const stored = new Set(rows.map(({ reason }) => reason));
  const of = (outcome: Write["outcome"]) => answered.filter((one) => one.outcome === outcome);
  const lost = of("done").filter(({ reason }) => !stored.has(reason));
  const denied = of("nothing").filter(({ reason }) => stored.has(reason));
  const during = (outcome: Write["outcome"]) => answered.slice(before).filter((one) => one.outcome === outcome).length;
  summary.push({
    ...{ fault, acknowledged: during("done"), unknown: during("unknown"), "not made": during("nothing") },
    ...{ lost: lost.length, ...times },
  });
  expect(lost.map(({ reason }) => reason)).toEqual([]);
  expect(denied.map(({ reason }) => reason)).toEqual([]);
  expect(rows).toHaveLength(stored.size);
  expect(writers.wrong).toEqual([]);
}
