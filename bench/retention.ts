// Measures what partitions by month cost: statements that list events, and one that appends an event, on the same events in
// tables without partitions and in tables with 1, 12 and 36 months. In turns, on an embedded PostgreSQL.
//
//   npm run bench:retention -- --rows 1000000 --rounds 40

import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import type { EventFilter, EventQuery } from "../src/authorization/history.ts";
import type { Caller } from "../src/authorization/permissions.ts";
import { migrate } from "../src/postgres/database/migrations.ts";
import { sessionSettings, withTypes } from "../src/postgres/database/session.ts";
import { eventStatement } from "../src/postgres/history/list-events.ts";
import { onScratchPostgres } from "../test/support/scratch-postgres.ts";
import { table } from "./report.ts";
import { median } from "./statistics.ts";

const { values } = parseArgs({
  options: { rows: { type: "string", default: "1000000" }, rounds: { type: "string", default: "40" } },
});
const rows = Number(values.rows);
const rounds = Number(values.rounds);

/** 0 stands for tables without partitions. */
const sides = [0, 1, 12, 36];

const owner = { userId: "u0", entries: [{ scope: { kind: "instance" }, roles: ["IAM_OWNER"] }] } as unknown as Caller;
const ofOrganization = {
  userId: "u7",
  entries: [{ scope: { kind: "organization", organizationId: "o7" }, roles: ["ORG_OWNER"] }],
} as unknown as Caller;
const plain: Caller = { userId: "u9", entries: [] };

const query = (filters: EventFilter[] = [], limit = 100, ascending = false): EventQuery => ({
  ...{ filters, ascending, offset: 0n, limit, skipTotal: false },
});
const lists: Record<string, (round: number) => [Caller, EventQuery]> = {
  "newest 100 of everything": () => [owner, query()],
  "newest 10 of everything": () => [owner, query([], 10)],
  "oldest 100 of everything": () => [owner, query([], 100, true)],
  "newest 100 of an organization": () => [ofOrganization, query()],
  "one assignment": (n) => [owner, query([{ kind: "authorizationId", id: `a${n * 31}` }])],
  "one user": (n) => [owner, query([{ kind: "userId", id: `u${n * 31}` }])],
  "one's own": () => [plain, query()],
};

const append = `
  insert into events (
    authorization_id, type, time, user_id, project_id, organization_id, project_grant_id, role_keys, state,
    creation_date, request_id)
  values ('x', 'user.grant.added', now(), 'u1', 'p1', 'o1', '', '{r1}', 'active', now(), gen_random_uuid())`;

/** The same schema, but its histories have no partitions. */
async function withoutPartitions(): Promise<string> {
  const folder = path.join(import.meta.dirname, "../migrations");
  const copy = await mkdtemp(path.join(tmpdir(), "bench-retention-"));
  for (const file of await readdir(folder)) {
    const text = await readFile(path.join(folder, file), "utf8");
    await writeFile(
      path.join(copy, file),
      text
        .replaceAll(") partition by range (sequence);", ");")
        .replace("select add_months();\nselect begin_month();", ""),
    );
  }
  return copy;
}

/** Months are spread evenly up to this one, each assignment has five events, and each user about 60. */
async function fill(client: pg.Client, months: number): Promise<void> {
  if (months > 0) {
    await client.query(`
      select add_month(history, (date_trunc('month', now() at time zone 'UTC') - n * interval '1 month')::date)
      from generate_series(0, ${months - 1}) n
      cross join unnest(array['events', 'directory_events', 'directory_event_places']) as history`);
  }
  await client.query("alter table events disable trigger events_keep_numbers");
  await client.query(`
    insert into events (
      sequence, authorization_id, type, time, actor_id, user_id, project_id, organization_id, project_grant_id, role_keys,
      state, creation_date, role_keys_before, state_before, creation_date_before, request_id)
    overriding system value
    select first_sequence(at) + n, 'a' || assignment, case when n % 10 < 8 then 'user.grant.changed' else 'user.grant.added' end,
      at, 'u' || n % 101, 'u' || (hashint8(assignment) & 16383), 'p' || n % 500, 'o' || n % 50, '', '{r1,r2}', 'active', at,
      case when n % 10 < 8 then '{r1}'::text[] else '{}' end,
      case when n % 10 < 8 then 'active'::authorization_state end, case when n % 10 < 8 then at end, gen_random_uuid()
    from (
      select n, n * 7919 % (${rows} / 5) as assignment,
        now() - (${rows} - n) * ((now() - (date_trunc('month', now()) - ${Math.max(months, 1) - 1} * interval '1 month')) / ${rows}) as at
      from generate_series(1, ${rows}::bigint) n) n`);
  await client.query("alter table events enable trigger events_keep_numbers");
  await client.query("select setval(pg_get_serial_sequence('events', 'sequence'), (select max(sequence) from events))");
  await client.query("select recount_numbers()");
  await client.query("vacuum analyze");
}

await onScratchPostgres(async (urlOf) => {
  const plainSchema = await withoutPartitions();
  const clients: pg.Client[] = [];
  for (const months of sides) {
    const url = await urlOf(`months_${months}`);
    const client = new pg.Client(withTypes({ connectionString: url }));
    // Postgres ends it if something fails before the end.
    client.on("error", () => {});
    await client.connect();
    if (months === 0) {
      await client.query("drop schema public cascade");
      await client.query("create schema public");
      await migrate({ connectionString: url }, plainSchema);
    }
    await client.query(sessionSettings(600_000));
    await fill(client, months);
    clients.push(client);
  }
  await rm(plainSchema, { recursive: true });
  const statements: Record<string, (round: number) => pg.QueryConfig> = {
    ...Object.fromEntries(
      Object.entries(lists).map(([name, list]) => [name, (n: number) => eventStatement(...list(n)) as pg.QueryConfig]),
    ),
    "append an event": () => ({ name: "append", text: append }),
  };
  const lines: string[][] = [];
  for (const [name, statement] of Object.entries(statements)) {
    const times = clients.map((): number[] => []);
    for (let round = -10; round < rounds; round += 1) {
      for (const [side, client] of clients.entries()) {
        const begun = performance.now();
        await client.query(statement(Math.abs(round)));
        if (round >= 0) times[side]?.push(performance.now() - begun);
      }
    }
    lines.push([name, ...times.map((each) => median(each).toFixed(2))]);
  }
  console.log(
    table(["Statement, median in ms", "no partitions", ...sides.slice(1).map((months) => `${months} months`)], lines),
  );
  for (const client of clients) await client.end();
});
