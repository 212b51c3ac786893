// What streams of WatchAuthorizations cost, and how soon they tell of a change: see README.md. Needs Linux.
//
//   npm run bench:feed

import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { callHeaders } from "../../test/support/call-headers.ts";
import { freePort } from "../../test/support/free-port.ts";
import { withClient } from "../../test/support/with-client.ts";
import { load, makeMigrated, tokensFor } from "../databases.ts";
import { ask, send } from "../load.ts";
import { currentCommit, describeMachine } from "../machine.ts";
import { writeBeginning } from "../pairs/section.ts";
import { openBenchPostgres } from "../postgres.ts";
import { memoryOf, processorTime, processorTimeOfPostgres } from "../processes.ts";
import { number, table } from "../report.ts";
import { startOurs } from "../sides.ts";
import { median } from "../statistics.ts";
import { type Streams, watch } from "./streams.ts";

const people = 2_000;
const imported = 200_000;
const idleStreams = 1_000;
const watchers = 100;
const changesPerSecond = 100;
const seconds = 10;
const places = Array.from({ length: 10 }, (_, index) => String(index));
const placeOf = (index: number) => places[index % places.length] as string;

const postgres = await openBenchPostgres(100_000);
const stops: (() => Promise<unknown>)[] = [postgres.stop];
try {
  const tokens = await makeWorld();
  const connection = postgres.connectionTo("feed");
  const metricsPort = await freePort();
  const environment = {
    ...{ DATABASE_URL: postgres.urlOf("feed"), MAX_STREAMS: "4000", CONSOLE: "false" },
    METRICS_PORT: String(metricsPort),
  };
  const server = await startOurs(environment);
  stops.push(server.stop);
  const postmaster = await withClient(connection, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      "select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::integer as pid",
    );
    return rows[0]?.pid ?? Number.NaN;
  });
  const { url } = server;
  const owner = tokens[0] as string;
  const post = (rpc: string, body: object, token = owner) => ({
    url: `${url}/service.authorization.v2.AuthorizationService/${rpc}`,
    headers: callHeaders(token),
    body: Buffer.from(JSON.stringify(body)),
  });
  const isActive = new Map<string, boolean>();
  /** Changes an assignment, and returns when it was asked for. */
  async function change(id: string): Promise<number> {
    const active = isActive.get(id) ?? true;
    isActive.set(id, !active);
    const began = performance.now();
    await ask(post(active ? "DeactivateAuthorization" : "ActivateAuthorization", { id }));
    return began;
  }
  /** How long it takes until all streams have told of a change, for each of some changes. */
  async function delays(streams: Streams, count: number): Promise<number[]> {
    const all: number[] = [];
    for (let turn = 0; turn < count; turn += 1) {
      const id = `a${turn}`;
      const told = streams.untilAllTold(id);
      const began = await change(id);
      all.push((await told) - began);
    }
    return all;
  }
  async function lists(): Promise<number> {
    const { sent, seconds: took } = await send(post("ListAuthorizations", {}, tokens.at(-1)), {
      connections: 8,
      seconds,
    });
    return sent / took;
  }
  async function beside<T>(work: () => Promise<T>): Promise<{ result: T; asked: Map<string, number> }> {
    const asked = new Map<string, number>();
    let isOver = false;
    const changing = (async () => {
      const under: Promise<unknown>[] = [];
      const began = performance.now();
      for (let turn = 0; !isOver; turn += 1) {
        await sleep(Math.max(0, began + (turn * 1_000) / changesPerSecond - performance.now()));
        const id = `a${turn % people}`;
        asked.set(`${id} ${Math.floor(turn / people)}`, performance.now());
        // The server refuses some if other programs keep it from its work.
        under.push(change(id).catch(() => {}));
      }
      await Promise.all(under);
    })();
    const result = await work();
    isOver = true;
    await changing;
    return { result, asked };
  }

  /** The processor time that the server and Postgres use in a second of changes, in milliseconds. */
  async function processorTimeBeside(): Promise<number> {
    const used = async () => (await processorTime(server.process.pid)) + (await processorTimeOfPostgres(postmaster));
    const { result } = await beside(async () => {
      const before = await used();
      await sleep(seconds * 1_000);
      return ((await used()) - before) / seconds;
    });
    return result;
  }

  // Everything has run once before anything is measured.
  await lists();
  const warm = await watch(url, tokens.slice(0, 10), 10);
  await delays(warm, 5);
  warm.end();
  const alone = await lists();

  const before = await memoryOf(server.process.pid);
  const idle = await watch(url, tokens.slice(0, 10), idleStreams);
  await sleep(5_000);
  const queries = await statementsIn(`http://127.0.0.1:${metricsPort}/metrics`, 10);
  const connections = await connectionsOf(connection);
  const memory = (await memoryOf(server.process.pid)).now - before.now;
  const quiet = await delays(idle, 20);
  const importing = importMany(connection);
  await sleep(1_000);
  const whileImporting = await delays(idle, 20);
  await importing;
  idle.end();

  const beneath = await beside(lists);
  const alsoWithout = await processorTimeBeside();
  async function beneathStreams(first: number) {
    const many = await watch(url, tokens.slice(first, first + watchers), watchers);
    const used = (await processorTimeBeside()) - alsoWithout;
    await sleep(3_000);
    many.end();
    const others = await watch(url, tokens.slice(first, first + watchers), watchers);
    const { result, asked } = await beside(lists);
    await sleep(3_000);
    others.end();
    return { rate: result, used, ...others.delays(asked) };
  }
  const ofOne = await beneathStreams(watchers);
  const ofAll = await beneathStreams(0);

  const rows = [
    [`${number(idleStreams)} idle streams: statements a second, in all`, number(queries), "a few"],
    ["… connections to Postgres that work for them", number(connections), "none that stays"],
    ["… memory of the server, MiB", number(memory), "50"],
    ["… a change is seen by all after, ms (median of 20)", number(median(quiet)), "200"],
    ["… while an import is open", number(median(whileImporting)), "200"],
    ["short lists a second, alone", number(alone), ""],
    [`… beside ${changesPerSecond} changes a second`, number(beneath.result), ""],
    ...[
      [`${watchers} streams of different callers, each change seen by ten of them`, ofOne] as const,
      [`${watchers} streams of different callers, each change seen by all of them`, ofAll] as const,
    ].flatMap(([title, { rate, used, p99, median: middle }]) => [
      [`${title}: p99 of delays, ms`, number(p99), "1,000"],
      ["… median, ms", number(middle), ""],
      ["… processor time of the server and Postgres for them, ms a second, without lists", number(used), ""],
      ["… short lists a second beside them", number(rate), `80%: ${number(0.8 * beneath.result)}`],
    ]),
  ];
  const text = `# The feed

Written by \`npm run bench:feed\` on commit ${currentCommit()}; [README.md](README.md#feed) says what is measured.

Machine: ${describeMachine()}; shared by the server, Postgres and the clients.

${table(["", "measured", "goal"], rows)}
`;
  console.log(text);
  await writeBeginning(path.join(import.meta.dirname, "../FEED.md"), text);
} finally {
  for (const stop of stops.toReversed()) await stop();
}

/**
 * A database with people who have one assignment each, in one of ten organizations. The first hundred may see and change all
 * of them, and the next hundred see those of one organization. Returns their tokens.
 */
async function makeWorld(): Promise<string[]> {
  const connection = await makeMigrated(postgres, "feed");
  const ids = Array.from({ length: people }, (_, index) => `u${index}`);
  await load(connection, [
    ...places.map((id) => ({ organization: { id, name: id } })),
    ...places.map((id) => ({ project: { id, organizationId: id, name: id } })),
    ...places.map((projectId) => ({ projectRole: { projectId, key: "seller", displayName: "Seller" } })),
    ...ids.map((id) => ({ user: { id, organizationId: "0", preferredLoginName: id, displayName: id } })),
    ...ids.slice(0, watchers).map((userId) => ({
      administrator: { userId, instance: true, roles: ["IAM_OWNER"] },
    })),
    ...ids.slice(watchers, 2 * watchers).map((userId, index) => ({
      administrator: { userId, organizationId: placeOf(index), roles: ["ORG_OWNER_VIEWER"] },
    })),
    ...ids.map((userId, index) => {
      const place = placeOf(index);
      return {
        authorization: { id: `a${index}`, userId, projectId: place, organizationId: place, roleKeys: ["seller"] },
      };
    }),
  ]);
  return tokensFor(connection, ids);
}

/** One transaction that takes some seconds. */
async function importMany(connection: pg.ClientConfig): Promise<void> {
  const ids = Array.from({ length: imported }, (_, index) => `i${index}`);
  const changes = [
    { project: { id: "store", organizationId: "0", name: "Store" } },
    { projectRole: { projectId: "store", key: "seller", displayName: "Seller" } },
    ...ids.map((id) => ({ user: { id, organizationId: "0", preferredLoginName: id, displayName: id } })),
    ...ids.map((id) => ({
      authorization: { id, userId: id, projectId: "store", organizationId: "0", roleKeys: ["seller"] },
    })),
  ];
  await load(connection, changes);
}

/** How many statements the server sends in a second, by its own count. */
async function statementsIn(metricsUrl: string, forSeconds: number): Promise<number> {
  const count = async () => {
    const text = await (await fetch(metricsUrl)).text();
    return text
      .matchAll(/^authorization_statement_duration_seconds_count\S* (\d+)$/gm)
      .reduce((sum, [, one]) => sum + Number(one), 0);
  };
  const first = await count();
  await sleep(forSeconds * 1_000);
  return ((await count()) - first) / forSeconds;
}

/** How many connections of the server run a statement, on average. */
async function connectionsOf(connection: pg.ClientConfig): Promise<number> {
  return withClient(connection, async (client) => {
    let busy = 0;
    for (let turn = 0; turn < 50; turn += 1) {
      const { rows } = await client.query<{ count: number }>(`
        select count(*)::integer from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`);
      busy += rows[0]?.count ?? 0;
      await sleep(20);
    }
    return busy / 50;
  });
}
