import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { type EmbeddedPostgres, openEmbeddedPostgres } from "../../src/embedded/embedded-postgres.ts";
import { haltAll, mainProcess } from "../support/own-postgres.ts";
import { sendSignal } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { withClient } from "../support/with-client.ts";

/** A Postgres that can be ill-treated. What is acknowledged is on the disk: nothing here is switched off. */
export type TroubledPostgres = Awaited<ReturnType<typeof openPostgres>>;

/** How the service's connections are told from ours. */
const service = "authorization-service";

const settings = {
  max_connections: "40",
  shared_buffers: "128MB",
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  // Recoveries stay short, and a run has checkpoints in it.
  checkpoint_timeout: "1min",
  max_wal_size: "512MB",
  // There is no archive, but Postgres begins no new timeline without this setting.
  restore_command: "false",
};

const fastWithinMs = 3_000;

export async function openPostgres(folder = tmpdir()) {
  const dataDirectory = await mkdtemp(join(folder, "authorization-history-"));
  const cluster = join(dataDirectory, "postgres", "cluster");
  // As a command, because a server would start it again whenever a fault ends it.
  const owner = { kind: "command", name: "history" } as const;
  const start = (): Promise<EmbeddedPostgres> =>
    openEmbeddedPostgres({ dataDirectory, owner, settings, say: () => {} });
  let running = await start();
  const { socketDirectory, port } = running;
  let busy: Promise<unknown> = Promise.resolve();

  const connection = {
    ...{ host: socketDirectory, port, user: "postgres", database: "postgres" },
    ...{ application_name: "history", options: "-c default_transaction_read_only=off" },
  };

  /** Runs work on a connection that works also when others may only read. */
  const onOwn = <T>(work: (client: pg.Client) => Promise<T>) =>
    withClient({ ...connection, connectionTimeoutMillis: 5_000 }, work);

  /** It can be read from before it is done with its recovery. */
  async function untilWritable(): Promise<void> {
    await until("the new timeline", () =>
      onOwn(async (client) => {
        const { rows } = await client.query<{ done: boolean }>("select not pg_is_in_recovery() as done");
        return rows[0]?.done;
      }).catch(() => false),
    );
  }

  return {
    url: `postgresql:///postgres?host=${encodeURIComponent(socketDirectory)}&port=${port}&user=postgres`,
    connection,
    /** Its data directory, and the folder of that and of whatever else this one run leaves. */
    cluster,
    folder: dataDirectory,
    withClient: onOwn,
    /**
     * Ends the main process by SIGKILL, or all by a fast shutdown, and starts it again. On a new timeline, it is as if a
     * replica with the same data had been promoted.
     */
    restart(how: "kill" | "fast" | "new timeline"): Promise<void> {
      const next = busy.then(async () => {
        const main = await mainProcess(cluster);
        sendSignal(main, how === "fast" ? "SIGINT" : "SIGKILL");
        // Under a flood of attempts to connect a fast shutdown may take for ever.
        const late = setTimeout(() => sendSignal(main, "SIGQUIT"), fastWithinMs);
        await running.stop();
        clearTimeout(late);
        if (how === "new timeline") await writeFile(join(cluster, "recovery.signal"), "", { mode: 0o600 });
        running = await start();
        if (how === "new timeline") await untilWritable();
      });
      busy = next.catch(() => {});
      return next;
    },
    /** Ends the main process by SIGKILL for good. */
    end(): Promise<void> {
      const done = busy.then(async () => {
        sendSignal(await mainProcess(cluster), "SIGKILL");
        await running.stop();
      });
      busy = done.catch(() => {});
      return done;
    },
    /** SIGKILL for one process that serves a client: Postgres ends all the others and recovers. */
    killBackend: (which: number) =>
      onOwn(async (client) => {
        const pids = await pidsOf(client, `application_name = '${service}'`);
        const pid = pids[which % pids.length];
        if (pid !== undefined) sendSignal(pid, "SIGKILL");
      }),
    /** SIGSTOP for all its processes; what is returned lets them go on. */
    pause: () => haltAll(cluster),
    async stop() {
      await busy;
      await running.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Ends connections of the service, so many at most. */
export async function cutConnections(client: pg.Client, most: number): Promise<void> {
  const pids = await pidsOf(client, `application_name = '${service}'`);
  await client.query("select pg_terminate_backend(pid) from unnest($1::integer[]) as pid", [pids.slice(0, most)]);
}

async function pidsOf(client: pg.Client, condition: string): Promise<number[]> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where ${condition} order by backend_start desc, pid`,
  );
  return rows.map(({ pid }) => pid);
}
