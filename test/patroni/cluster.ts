import { execFile } from "node:child_process";
import { chown, copyFile, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { startCommand } from "../support/command.ts";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/until.ts";
import { withClient } from "../support/with-client.ts";
import { account } from "./account.ts";
import { guard } from "./guard.ts";
import { logs, programs } from "./install.ts";
import { type Member, openMember, startLogged } from "./member.ts";

/** How long Patroni may take for anything: a lease, a few loops, and a busy machine. */
const longestMs = 150_000;

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

export type Promoted = {
  readonly leader: Member;
  /** The last moment at which it had not been promoted. */
  readonly at: number;
  /** Resolves to the moment at which a standby confirms its commits. Until then, no change can be acknowledged. */
  readonly confirmed: Promise<number>;
};

export async function startCluster() {
  await mkdir(logs, { recursive: true });
  const folder = await mkdtemp(path.join(tmpdir(), "authorization-patroni-"));
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  const guarded = guard(folder);
  try {
    const etcdPort = await startEtcd(folder);
    const members: Member[] = [];
    for (const name of ["pg-1", "pg-2", "pg-3"]) members.push(await openMember(name, folder, etcdPort));
    for (const member of members) await member.start();
    return {
      members,
      /**
       * Resolves to the leader when all members are healthy: both others stream from it, may confirm commits and may be
       * promoted. A fault that comes earlier would test Patroni's refusal to promote, not a fail-over.
       */
      untilFullStrength: () => until("full strength", () => leaderAtFullStrength(members), { longestMs, everyMs: 250 }),
      /** Begins to look for a promotion among the members other than the leader. */
      watchPromotion: (leader: Member) => watchPromotion(members.filter((member) => member !== leader)),
      /** Until Patroni has noticed that no standby streams: the moment at which it could give up synchronous replication. */
      async untilNoticedAlone({ restUrl }: Member) {
        const isAlone = async () => (await shownBy(restUrl))?.every(({ state }) => state !== "streaming");
        await until("Patroni to notice that no standby streams", isAlone, { longestMs, everyMs: 250 });
      },
      async switchOver(from: Member) {
        const candidate = members.find((member) => member !== from);
        const who = ["--leader", from.name, "--candidate", candidate?.name ?? ""];
        await promisify(execFile)(programs.patronictl, ["-c", from.file, "switchover", ...who, "--force"]);
      },
      /** Starts a server of the service, which ends with the cluster at the latest. */
      async serve(env: Record<string, string>) {
        const own = await mkdtemp(path.join(folder, "server-"));
        const server = startCommand(["serve"], { env: { ...env, PORT: "0", HOME: own } });
        await writeFile(path.join(own, "pid"), String(server.process.pid));
        return server;
      },
      async stop() {
        await keepLogs(folder);
        await guarded.end();
        for (const { ways } of members) for (const way of Object.values(ways)) await way.close();
      },
    };
  } catch (error) {
    await keepLogs(folder);
    await guarded.end();
    throw error;
  }
}

/** For those who look for the reason of a failure. */
async function keepLogs(folder: string): Promise<void> {
  for (const name of ["etcd", "pg-1", "pg-2", "pg-3"])
    await copyFile(path.join(folder, name, "log"), path.join(logs, `${name}.log`)).catch(() => {});
}

async function startEtcd(folder: string): Promise<number> {
  const own = path.join(folder, "etcd");
  await mkdir(own);
  if (account !== undefined) await chown(own, account.uid, account.gid);
  const [port, peerPort] = [await freePort(), await freePort()];
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  await startLogged(
    own,
    ...[programs.etcd, "--name", "etcd", "--data-dir", path.join(own, "data")],
    ...["--listen-client-urls", client, "--advertise-client-urls", client, "--listen-peer-urls", peer],
    ...["--initial-advertise-peer-urls", peer, "--initial-cluster", `etcd=${peer}`],
  );
  await until("etcd to be healthy", () =>
    fetch(`${client}/health`).then(
      (response) => response.ok,
      () => false,
    ),
  );
  return port;
}

/** Undefined while there is none, or while a member is not healthy. */
async function leaderAtFullStrength(members: readonly Member[]): Promise<Member | undefined> {
  const seen = await Promise.all(members.map(({ restUrl }) => shownBy(restUrl)));
  const [first] = seen;
  if (first === undefined || seen.some((shown) => JSON.stringify(shown) !== JSON.stringify(first))) return undefined;
  const roles = first.map(({ role, state }) => `${role} ${state}`).sort();
  if (roles.join() !== "leader running,quorum_standby streaming,quorum_standby streaming") return undefined;
  if (new Set(first.map(({ timeline }) => timeline)).size > 1) return undefined;
  const leader = members.find(({ name }) => first.some((one) => one.name === name && one.role === "leader"));
  const confirming = await withClient(leader?.connection ?? {}, (client) => client.query(selectConfirming)).catch(
    () => undefined,
  );
  return confirming?.rowCount === 2 ? leader : undefined;
}

/** In the order of their names, without what changes all the time. */
async function shownBy(restUrl: string) {
  const response = await fetch(`${restUrl}/cluster`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  if (!response?.ok) return undefined;
  const { members } = (await response.json()) as { members: Record<"name" | "role" | "state" | "timeline", string>[] };
  return members
    .map(({ name, role, state, timeline }) => ({ name, role, state, timeline }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

const selectConfirming = `
  select from pg_stat_replication
  where state = 'streaming' and sync_state = 'quorum' and pg_current_wal_flush_lsn() - flush_lsn < 1000000`;

async function watchPromotion(standbys: readonly Member[]) {
  const clients = await Promise.all(
    standbys.map(async ({ connection }) => {
      const client = new pg.Client(connection);
      client.on("error", () => {});
      await client.connect();
      return client;
    }),
  );
  let stop = false;
  const promoted = Promise.withResolvers<Promoted>();
  promoted.promise.catch(() => {});
  const watching = clients.map(async (client, index) => {
    const leader = standbys[index] as Member;
    let at = performance.now();
    const isPromoted = async () => {
      const askedAt = performance.now();
      // A standby that restarts to follow another one breaks the connection. That one is not promoted then.
      const { rows } = await client.query("select pg_is_in_recovery() as standby").catch(() => ({ rows: [] }));
      if (rows[0]?.standby === false) return true;
      at = askedAt;
      return stop;
    };
    try {
      await until("a promotion", isPromoted, { longestMs });
      if (stop) return;
      const confirmed = until("a standby to confirm commits", async () => {
        const { rowCount } = await client.query(`${selectConfirming} limit 1`);
        return rowCount === 1 && performance.now();
      });
      confirmed.catch(() => {});
      promoted.resolve({ leader, at, confirmed });
    } catch (error) {
      promoted.reject(error);
    }
  });
  return {
    /** Resolves when a member has been promoted. */
    promoted: promoted.promise,
    async close() {
      stop = true;
      await Promise.all([...watching, ...clients.map((client) => client.end().catch(() => {}))]);
    },
  };
}
