import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { until } from "../support/until.ts";
import { cutConnections, type TroubledPostgres } from "./postgres.ts";
import type { TroubledReplica } from "./replicas.ts";
import type { Fault, FaultKind } from "./schedule.ts";
import type { TroubledServer } from "./servers.ts";

export type Victims = {
  readonly postgres: TroubledPostgres;
  readonly servers: readonly TroubledServer[];
  /** Without any, there must be no faults of replicas. */
  readonly replicas: readonly TroubledReplica[];
};

/** Makes faults until told to stop, and mends them all. Resolves to what they were. */
export async function makeTrouble(
  victims: Victims,
  faults: Iterator<Fault>,
  { signal, say }: { signal: AbortSignal; say: (message: string) => void },
): Promise<FaultKind[]> {
  const made: FaultKind[] = [];
  const failures: unknown[] = [];
  const running = new Set<Promise<void>>();
  while (!signal.aborted) {
    const fault = faults.next().value as Fault;
    await sleep(fault.afterMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) break;
    say(`${fault.kind}: begins`);
    const happening = inject(fault, victims)
      .then(
        () => {
          made.push(fault.kind);
          say(`${fault.kind}: over`);
        },
        // Another fault was in the way of this one, as when there is no Postgres to be read-only.
        (error) => {
          say(`${fault.kind}: ${error.message}`);
          if (!isOutage(error)) failures.push(error);
        },
      )
      .finally(() => running.delete(happening));
    running.add(happening);
    if (!fault.overlaps) await happening;
  }
  await Promise.all(running);
  if (made.includes("read-only")) await untilDone(() => setReadOnly(victims.postgres, false));
  if (failures.length > 0) throw new AggregateError(failures, "faults could not be made");
  return made;
}

async function inject(fault: Fault, { postgres, servers, replicas }: Victims): Promise<void> {
  const server = servers[fault.which % servers.length] as TroubledServer;
  const replica = replicas[fault.which % replicas.length] as TroubledReplica;
  await ways[fault.kind]({ ...fault, postgres, server, replica });
}

type Hit = Omit<Fault, "kind"> & {
  readonly postgres: TroubledPostgres;
  readonly server: TroubledServer;
  readonly replica: TroubledReplica;
};

const ways: Readonly<Record<FaultKind, (hit: Hit) => Promise<void>>> = {
  "kill a replica": ({ replica, forMs }) => replica.kill(forMs / 2),
  "pause a replica": ({ replica, forMs }) => replica.pause(forMs * 2),
  "cut a replica off": ({ replica, forMs }) => replica.cutOff("cut", forMs),
  "swallow a replica's connections": ({ replica, forMs }) => replica.cutOff("swallow", forMs * 2),
  "pause replay": ({ replica, forMs }) => replica.pauseReplay(forMs * 2),
  "let a replica fall behind": ({ replica, forMs }) => replica.fallBehind(forMs * 3),
  "promote a replica": ({ replica, forMs }) => replica.promote(forMs),
  "leave a replica on the old timeline": ({ replica, postgres, forMs }) =>
    replica.leaveBehind(() => postgres.restart("new timeline"), forMs * 2),
  "kill a server": ({ server, forMs }) => server.restart("SIGKILL", forMs / 2),
  "kill a worker": ({ server, which }) => server.killWorker(which),
  "restart a server": ({ server }) => server.restart("SIGTERM", 0),
  "kill Postgres": ({ postgres }) => postgres.restart("kill"),
  "restart Postgres": ({ postgres }) => postgres.restart("fast"),
  "kill a backend": ({ postgres, which }) => postgres.killBackend(which),
  async "pause Postgres"({ postgres, forMs }) {
    const goOn = await postgres.pause();
    await sleep(forMs);
    goOn();
  },
  "cut connections": ({ postgres, which }) => postgres.withClient((client) => cutConnections(client, 1 + (which % 8))),
  "too many connections": ({ postgres, forMs }) => occupy(postgres, forMs),
  async "read-only"({ postgres, forMs }) {
    try {
      await setReadOnly(postgres, true);
      await sleep(forMs);
    } finally {
      // Also when Postgres was killed between the two halves of the first.
      await untilDone(() => setReadOnly(postgres, false));
    }
  },
};

/** Takes every connection there is, and those of the service as soon as it loses them. */
async function occupy(postgres: TroubledPostgres, forMs: number): Promise<void> {
  const held: pg.Client[] = [];
  const until = Date.now() + forMs;
  try {
    await postgres.withClient(async (client) => {
      await holdAll(postgres, held);
      await cutConnections(client, 100);
      while (Date.now() < until) {
        await holdAll(postgres, held);
        await sleep(20);
      }
    });
  } finally {
    await Promise.all(held.map((client) => client.end().catch(() => {})));
  }
}

async function holdAll(postgres: TroubledPostgres, held: pg.Client[]): Promise<void> {
  for (;;) {
    const client = new pg.Client({ ...postgres.connection, connectionTimeoutMillis: 2_000 });
    client.on("error", () => {});
    try {
      await client.connect();
    } catch {
      return;
    }
    held.push(client);
  }
}

async function setReadOnly(postgres: TroubledPostgres, value: boolean): Promise<void> {
  await postgres.withClient(async (client) => {
    await client.query(`alter system set default_transaction_read_only = ${value ? "on" : "off"}`);
    await client.query("select pg_reload_conf()");
  });
}

/** Postgres comes back from whatever else happens to it. */
async function untilDone(work: () => Promise<void>): Promise<void> {
  const isDone = () =>
    work().then(
      () => true,
      (error) => {
        if (!isOutage(error)) throw error;
        return false;
      },
    );
  await until("Postgres to come back", isDone, { longestMs: 60_000, everyMs: 50 });
}

/** Postgres is not there, has no place, or replays what a statement needs; everything else is a mistake of ours. */
function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|53|57|40001)/.test(error.code ?? "");
  return (
    error instanceof Error &&
    /connect|Connection|ECONN|ENOENT|EPIPE|timeout|not (queryable|running)/.test(error.message)
  );
}
