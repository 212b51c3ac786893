import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { newActor } from "../../src/authorization/actor.ts";
import type { AuthorizationChange } from "../../src/authorization/store.ts";
import { withClient } from "../../test/support/with-client.ts";
import type { BenchPostgres } from "../postgres.ts";
import { median, percentile } from "../statistics.ts";

/** What a change cost Postgres, for each assignment in it. */
export type Cost = {
  /** Processor time of the connection's process, in milliseconds. */
  readonly milliseconds: number;
  /** Bytes of WAL, without the images of pages that a checkpoint makes necessary. */
  readonly wal: number;
  readonly rows: number;
  readonly indexEntries: number;
};

export type Operation = "create" | "update" | "setState" | "delete" | "import";

/** A checkout that changes assignments in a world of its own, on one connection. */
export type Side = {
  readonly folder: string;
  /** Does it several times, each time with so many assignments. */
  measure(operation: Operation, assignments: number, times: number): Promise<Cost>;
  close(): Promise<void>;
};

/** @param folder a checkout; its own code makes the world and the changes */
export async function openSide(folder: string, rows: number): Promise<Side> {
  const load = <Module>(file: string) => import(path.resolve(folder, file)) as Promise<Module>;
  const { openBenchPostgres } = await load<typeof import("../postgres.ts")>("bench/postgres.ts");
  const { openWorld } = await load<typeof import("../world/world.ts")>("bench/world/world.ts");
  const world = await load<typeof import("../cases/put-back.ts")>("bench/cases/put-back.ts");
  // Earlier checkouts have it where it was then.
  const places = ["pool/database.ts", "database/database.ts", "database.ts"];
  const file = places.find((place) => existsSync(path.resolve(folder, "src/postgres", place)));
  const { openDatabase } = await load<typeof import("../../src/postgres/pool/database.ts")>(`src/postgres/${file}`);
  const { postgresStores } = await load<typeof import("../../src/postgres/stores.ts")>("src/postgres/stores.ts");
  const operations = await load<typeof import("./operations.ts")>(path.join(import.meta.dirname, "operations.ts"));

  const postgres: BenchPostgres = await openBenchPostgres(rows);
  const connection = postgres.connectionTo(await openWorld(postgres, rows, console.log));
  const query = <Row>(text: string, values: unknown[] = []) =>
    withClient(connection, async (client) => (await client.query(text, values)).rows as Row[]);
  await query("create extension if not exists pg_walinspect");
  await withClient(connection, world.putBackLeftovers);
  const subject = await operations.findSubject(query);
  await withClient(connection, (client) => world.saveForUpdate(client, [...subject.ids]));
  // Only an IAM_OWNER may apply changes of assignments.
  const [owner] = await query<{ id: string }>("select user_id as id from bench.callers where kind = 'instance'");
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutMs: 300_000, onIdleError() {} });
  const stores = postgresStores(database);
  const { signal } = new AbortController();
  // Earlier checkouts take only the user's id.
  const hasActors = existsSync(path.resolve(folder, "src/authorization/actor.ts"));
  const actor = (userId: string) => (hasActors ? newActor(userId, "") : (userId as never));
  const run = await operations.operationsOn(folder, subject, {
    change: (work) => stores.authorizations.change(actor(subject.caller.userId), signal, work as never),
    async apply(changes) {
      const acting = actor(owner?.id ?? "");
      // Earlier checkouts take the user, the changes and the signal.
      const given =
        stores.directory.apply.length === 3 ? [acting, changes] : [{ actor: acting, changes, dryRun: false }];
      await stores.directory.apply(...([...given, signal] as unknown as Parameters<typeof stores.directory.apply>));
    },
  });

  // Their pages are read, and their images are in the WAL, before anything counts.
  for (let count = 0; count < subject.ids.length; count += 100) {
    await run.update(100);
    await run.setState(100);
  }

  /** Of the connection that is used now: an idle one is closed. */
  async function processorTime(): Promise<number> {
    const [row] = await database.query<{ pid: number }>({ text: "select pg_backend_pid() as pid", values: [] }, signal);
    return Number((await readFile(`/proc/${row?.pid}/schedstat`, "utf8")).split(" ")[0]) / 1_000_000;
  }

  return {
    folder,
    async measure(operation, assignments, times) {
      const started = await positionIn(query);
      const milliseconds: number[] = [];
      for (let count = 0; count < times; count += 1) {
        const before = await processorTime();
        await run[operation](assignments);
        milliseconds.push((await processorTime()) - before);
      }
      const written = await writtenSince(query, started);
      const each = (total: number) => total / times / assignments;
      // The faster half: on a busy machine the others tell what else was running.
      const typical = percentile(
        milliseconds.sort((a, b) => a - b),
        0.25,
      );
      return {
        milliseconds: typical / assignments,
        wal: each(written.wal),
        rows: each(written.rows),
        indexEntries: each(written.index_entries),
      };
    },
    async close() {
      await database.close();
      await query("update authorizations set state = 'active' where id = any($1) and state <> 'active'", [subject.ids]);
      await withClient(connection, world.restoreUpdated);
      await withClient(connection, world.removeCreated);
      await postgres.stop();
    },
  };
}

/** The median of each number. */
export function medianCost(costs: readonly Cost[]): Cost {
  const of = (key: keyof Cost) => median(costs.map((cost) => cost[key]));
  return { milliseconds: of("milliseconds"), wal: of("wal"), rows: of("rows"), indexEntries: of("indexEntries") };
}

export type Query = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

async function positionIn(query: Query): Promise<string> {
  const [row] = await query<{ position: string }>("select pg_current_wal_insert_lsn()::text as position");
  return row?.position ?? "";
}

/** Postgres has no counter of index entries; the WAL has a record for each. */
async function writtenSince(query: Query, started: string) {
  const [row] = await query<{ wal: number; rows: number; index_entries: number }>(
    `select coalesce(sum(record_size), 0)::float8 as wal,
      coalesce(sum(count) filter (where type ~ '^Heap2?/(INSERT|MULTI_INSERT|UPDATE|HOT_UPDATE|DELETE)'), 0)::float8 as rows,
      coalesce(sum(count) filter (where type ~ '^Btree/(INSERT|SPLIT)'), 0)::float8 as index_entries
    from (
      select "resource_manager/record_type" as type, record_size, count
      from pg_get_wal_stats($1::pg_lsn, pg_current_wal_flush_lsn(), true)) records`,
    [started],
  );
  return row ?? { wal: 0, rows: 0, index_entries: 0 };
}

export type Change = <T>(work: (change: AuthorizationChange) => Promise<T>) => Promise<T>;
