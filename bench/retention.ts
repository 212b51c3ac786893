// Measures what partitions by month cost: lists of both histories, and what changes ask of them, on the same events in tables
// without partitions and in tables with 1, 12 and 36 months. In turns, on an embedded PostgreSQL.
//
//   npm run bench:retention -- --rows 1000000 --rounds 40

import { readFile, rm } from "node:fs/promises";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import pg from "pg";
import type { EventFilter } from "../src/authorization/history.ts";
import type { AdministratorRole, Caller, Scope } from "../src/authorization/permissions.ts";
import type { DirectoryEventFilter } from "../src/directory/history.ts";
import { findLastRemovals } from "../src/postgres/change/authorization-statements.ts";
import type { Database } from "../src/postgres/database/database.ts";
import { migrate } from "../src/postgres/database/migrations.ts";
import { sessionSettings, withTypes } from "../src/postgres/database/session.ts";
import { listDirectoryEvents } from "../src/postgres/history/list-directory-events.ts";
import { listEvents } from "../src/postgres/history/list-events.ts";
import { type RecentMonths, recentMonths } from "../src/postgres/history/recent-months.ts";
import { onScratchPostgres } from "../test/support/scratch-postgres.ts";
import { table } from "./report.ts";
import { fill, withoutPartitions } from "./retention-world.ts";
import { median } from "./statistics.ts";

const { values } = parseArgs({
  options: { rows: { type: "string", default: "1000000" }, rounds: { type: "string", default: "40" } },
});
const rows = Number(values.rows);
const rounds = Number(values.rounds);

/** 0 stands for tables without partitions. */
const sides = [0, 1, 12, 36];

type Side = {
  readonly client: pg.Client;
  readonly pid: number;
  readonly database: Database;
  readonly months: RecentMonths;
};
type Work = (side: Side, round: number) => Promise<unknown>;

const signal = new AbortController().signal;
const holding = (userId: string, role: AdministratorRole, scope: Scope): Caller => ({
  userId,
  entries: [{ scope, roles: [role] }],
});
const owner = holding("u0", "IAM_OWNER", { kind: "instance" });
const ofOrganization = holding("u7", "ORG_OWNER", { kind: "organization", organizationId: "o7" });
const plain: Caller = { userId: "u9", entries: [] };
const page = { ascending: false, offset: 0n, limit: 100, skipTotal: false };

const assignments =
  (caller: Caller, query: object = {}, ...filters: EventFilter[]): Work =>
  ({ database, months }) =>
    listEvents(database, months, caller, { ...page, filters, ...query }, signal);
const directory =
  (caller: Caller, query: object = {}, ...filters: DirectoryEventFilter[]): Work =>
  ({ database, months }) =>
    listDirectoryEvents(database, months, caller, { ...page, filters, ...query }, signal);

const works: Record<string, Work> = {
  "assignments: newest 100": assignments(owner),
  "newest 10": assignments(owner, { limit: 10 }),
  "oldest 100": assignments(owner, { ascending: true }),
  "newest 100 of a type": assignments(owner, {}, { kind: "types", types: ["user.grant.added"] }),
  "newest 100 of an actor": assignments(owner, { skipTotal: true }, { kind: "actorId", id: "u5" }),
  "newest 100 of a week": assignments(
    owner,
    { skipTotal: true },
    { kind: "time", range: { from: daysAgo(7), to: undefined } },
  ),
  "newest 100 of an organization": assignments(ofOrganization),
  "newest 10 of an organization": assignments(ofOrganization, { limit: 10 }),
  "one assignment": (side, n) => assignments(owner, {}, { kind: "authorizationId", id: `a${n * 31}` })(side, n),
  "one user": (side, n) => assignments(owner, {}, { kind: "userId", id: `u${n * 31}` })(side, n),
  "one's own": assignments(plain),
  "directory: newest 100": directory(owner, { skipTotal: true }),
  "newest 100 with the total": directory(owner),
  "newest 100 of users": directory(owner, { skipTotal: true }, { kind: "types", types: ["user"] }),
  "newest 100 in an organization": directory(ofOrganization, { skipTotal: true }),
  "one thing": (side, n) => directory(owner, {}, { kind: "id", id: `t${n * 31}` })(side, n),
  "one's own entries": directory(plain),
  "changes: append an event": ({ client }) => client.query({ name: "append", text: append }),
  "delete again": ({ client }, n) => client.query(findLastRemovals([`a${n * 31}`]) as pg.QueryConfig),
};

function daysAgo(days: number): bigint {
  return BigInt(Date.now() - days * 86_400_000) * 1_000n;
}

const append = `
  insert into events (
    authorization_id, type, time, user_id, project_id, organization_id, project_grant_id, role_keys, state,
    creation_date, request_id)
  values ('x', 'user.grant.added', now(), 'u1', 'p1', 'o1', '', '{r1}', 'active', now(), gen_random_uuid())`;

async function openSide(url: string, months: number): Promise<Side> {
  const client = new pg.Client(withTypes({ connectionString: url }));
  // Postgres ends it if something fails before the end.
  client.on("error", () => {});
  await client.connect();
  if (months === 0) {
    await client.query("drop schema public cascade");
    await client.query("create schema public");
    const schema = await withoutPartitions();
    await migrate({ connectionString: url }, schema);
    await rm(schema, { recursive: true });
  }
  await client.query(sessionSettings(600_000));
  await fill(client, months, rows);
  const { rows: found } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const database = { query: async (statement: pg.QueryConfig) => (await client.query(statement)).rows };
  const reading = database as unknown as Database;
  return { client, pid: found[0]?.pid ?? 0, database: reading, months: recentMonths(reading) };
}

/** The processor time of a session of Postgres so far, in milliseconds. Linux only. */
async function processorTime({ pid }: Side): Promise<number> {
  return Number((await readFile(`/proc/${pid}/schedstat`, "utf8")).split(" ")[0]) / 1e6;
}

async function measure(open: readonly Side[], work: Work): Promise<{ times: number[]; used: number[] }> {
  const all = open.map(() => ({ times: [] as number[], used: [] as number[] }));
  for (let round = -10; round < rounds; round += 1) {
    for (const [index, side] of open.entries()) {
      const [usedBefore, begun] = [await processorTime(side), performance.now()];
      await work(side, Math.abs(round));
      const time = performance.now() - begun;
      if (round < 0) continue;
      all[index]?.times.push(time);
      all[index]?.used.push((await processorTime(side)) - usedBefore);
    }
  }
  return { times: all.map(({ times }) => median(times)), used: all.map(({ used }) => median(used)) };
}

await onScratchPostgres(async (urlOf) => {
  const open: Side[] = [];
  for (const months of sides) open.push(await openSide(await urlOf(`months_${months}`), months));
  const [times, used]: [string[][], string[][]] = [[], []];
  for (const [name, work] of Object.entries(works)) {
    const found = await measure(open, work);
    times.push([name, ...found.times.map((each) => each.toFixed(2))]);
    const [without = 1] = found.used;
    used.push([name, ...found.used.map((each) => `${each.toFixed(2)} (${(each / without).toFixed(2)})`)]);
  }
  const memory = await Promise.all(
    open.map(async ({ client }) => {
      const { rows } = await client.query<{ mb: number }>(
        "select sum(total_bytes) / 1048576.0 as mb from pg_backend_memory_contexts",
      );
      return Number(rows[0]?.mb).toFixed(1);
    }),
  );
  const heads = ["no partitions", ...sides.slice(1).map((months) => `${months} months`)];
  console.log(`load average ${loadavg()[0]?.toFixed(0)}`);
  console.log(table(["Processor time of Postgres in ms", ...heads], used));
  console.log(table(["Median time in ms", ...heads], times));
  console.log(table(["MB of a connection", ...heads], [["after all of these", ...memory]]));
  for (const { client } of open) await client.end();
});
