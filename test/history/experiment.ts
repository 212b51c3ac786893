import { setTimeout as sleep } from "node:timers/promises";
import { migrate } from "../../src/postgres/migrations/migrations.ts";
import { useDatabase } from "../support/database.ts";
import { RowReader } from "./answers.ts";
import { checkWatched, eventsFor } from "./check/watched.ts";
import { Notebook } from "./choose.ts";
import { runClient, runKeeper, type Workplace, type Written } from "./clients.ts";
import { now, watchClock } from "./clock.ts";
import { failOver, makeSynchronous, urlOfAll } from "./fail-over.ts";
import { makeTrouble } from "./faults.ts";
import type { Combination, History, Violation, Watched } from "./operation.ts";
import { openPostgres, type TroubledPostgres } from "./postgres.ts";
import { seeded } from "./random.ts";
import { startTroubledReplica, type TroubledReplica } from "./replicas.ts";
import {
  type FaultKind,
  failOverFaultKinds,
  faultKinds,
  replicaFaultKinds,
  schedule,
  workerFaultKinds,
} from "./schedule.ts";
import { startServer } from "./servers.ts";
import { findWrongKept, readStored, untilAllEnded } from "./stored.ts";
import { newWatcher, runWatcher } from "./watchers.ts";
import { buildWorld, keeper, type World } from "./world.ts";

export type Experiment = {
  readonly seed: number;
  readonly forMs: number;
  readonly clients: number;
  readonly coldUsers: number;
  readonly thinkMs: number;
  /** How long work goes on between faults, about. */
  readonly calmMs: number;
  /** How many replicas the servers read from. */
  readonly replicas?: number;
  /** How many workers each server has; one by default. */
  readonly workers?: number;
  /** How many watchers follow the feed. */
  readonly watchers: number;
  /** Whether commits wait for a replica, and one of them becomes the primary in the middle of it. */
  readonly failOver?: boolean;
  /** What the two servers are; see servers.ts. */
  readonly server: readonly string[];
  /** Where the data lie; default: where temporary files do. */
  readonly folder?: string | undefined;
  readonly signal: AbortSignal;
  /** Hears of every fault, and now and then of how far it is. */
  readonly say: (message: string) => void;
};

export type Findings = {
  readonly history: History;
  readonly combinations: readonly Combination[];
  readonly watched: readonly Watched[];
  readonly faults: readonly FaultKind[];
  /** How many transactions each replica has done since it was last built. */
  readonly onReplicas: readonly number[];
  /** How long after a promotion the next change was acknowledged, in milliseconds. */
  readonly continuedAfterMs: number | undefined;
  /** What is wrong with what is kept beside the authorizations, or was logged as unexpected. */
  readonly violations: readonly Violation[];
};

/** Lets clients work through two servers while things break, and reads what is left in the end. */
export async function experiment(options: Experiment): Promise<Findings> {
  const postgres = await openPostgres(options.folder);
  try {
    const world = buildWorld(options.clients, options.coldUsers);
    const tokens = await prepare(postgres, world);
    const replicas: TroubledReplica[] = [];
    for (let number = 1; number <= (options.replicas ?? 0); number += 1) {
      replicas.push(await startTroubledReplica(postgres, `replica_${number}`));
    }
    if (options.failOver) await makeSynchronous(postgres, replicas);
    const urls = replicas.map(({ url }) => url).join(" ");
    const url = options.failOver ? urlOfAll(postgres, replicas) : postgres.url;
    const env = {
      DATABASE_URL: url,
      DATABASE_REPLICA_URLS: urls,
      LOG_LEVEL: "info",
      WORKERS: String(options.workers ?? 1),
      MAX_STREAM_MS: "20000",
    };
    const servers = await Promise.all(["A", "B"].map((name) => startServer(name, options.server, env)));
    const record: Written = { operations: [], lists: [], directory: [] };
    const clockSkew = watchClock();
    const watching = await watchAll({ ...options, world, servers, tokens });
    try {
      const { faults, promoted, promotedAt } = await work({
        ...{ ...options, world, servers, replicas, tokens, record, postgres },
      });
      const primary = promoted ?? postgres;
      const unwritten = await primary.withClient(untilAllEnded);
      const stored = await primary.withClient(readStored);
      const combinations = [...world.hot, ...world.cold];
      const { watched } = watching;
      await untilTold(watched, stored.events, combinations);
      await watching.stop();
      await Promise.all(servers.map((server) => server.stop()));
      const onReplicas = await Promise.all(replicas.map((replica) => replica.transactions()));
      const wrong = await findWrongKept(primary.connection);
      await Promise.all(replicas.map((replica) => replica.stop()));
      const logged = servers.flatMap(({ name, faults: lines }) => lines.map((line) => `${name}: ${line}`));
      return {
        history: { ...record, ...stored, clockSkew: clockSkew() },
        combinations,
        watched,
        faults,
        onReplicas,
        continuedAfterMs: promotedAt && continuedAfter(promotedAt, record),
        violations: [
          ...[...unwritten, ...wrong, ...unexpectedLines(logged)],
          ...watched.flatMap((one) => checkWatched(one, stored.events, combinations)),
        ],
      };
    } finally {
      clockSkew();
      await watching.stop();
      await Promise.all(servers.map((server) => server.stop()));
    }
  } finally {
    await postgres.stop();
  }
}

/** Lets watchers follow the feed. They have begun before anything happens. */
async function watchAll({
  watchers,
  seed,
  ...given
}: Pick<Experiment, "watchers" | "seed"> & Pick<Workplace, "world" | "servers" | "tokens">) {
  const over = new AbortController();
  const watched = Array.from({ length: watchers }, (_, number) => newWatcher(number, given.world.clients));
  const running: Promise<void>[] = [];
  await Promise.all(
    watched.map((one, number) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const place = { ...given, signal: over.signal, begun: resolve };
      running.push(runWatcher(one, seeded(seed).derive(`watcher ${number}`), place));
      return promise;
    }),
  );
  return {
    watched,
    async stop() {
      over.abort();
      await Promise.all(running);
    },
  };
}

/** Waits until all have been told everything. What is missing after that is missing for good. */
async function untilTold(
  watched: readonly Watched[],
  events: History["events"],
  combinations: readonly Combination[],
): Promise<void> {
  const counts = watched.map((one) => eventsFor(one, events, combinations).size);
  const isMissing = () => watched.some(({ lives }, at) => new Set(lives.at(-1)).size < (counts[at] ?? 0));
  for (const giveUpAt = Date.now() + 30_000; isMissing() && Date.now() < giveUpAt; ) await sleep(50);
}

type Work = Omit<Experiment, "replicas" | "watchers"> &
  Pick<Workplace, "world" | "servers" | "tokens" | "record"> & {
    postgres: TroubledPostgres;
    replicas: readonly TroubledReplica[];
  };

type Worked = Pick<Findings, "faults"> & {
  /** The new primary after a fail-over, and the moment when it was promoted. */
  readonly promoted?: TroubledReplica;
  readonly promotedAt?: number;
};

async function work({ seed, forMs, calmMs, signal, say, ...given }: Work): Promise<Worked> {
  const random = seeded(seed);
  const over = new AbortController();
  const place: Workplace = { ...given, rows: new RowReader(), signal: over.signal };
  const notebook = new Notebook();
  const clients = given.world.clients.map((name) => runClient(name, notebook, random.derive(name), place));
  const keeping = runKeeper(random.derive("keeper"), place);
  const ticking = setInterval(() => {
    say(`${given.record.operations.length + given.record.lists.length} calls`);
  }, 10_000);
  const trouble = (victims: typeof given, kinds: readonly FaultKind[], forMs: number) =>
    makeTrouble(victims, schedule(random.derive("faults"), calmMs, kinds), {
      signal: AbortSignal.any([AbortSignal.timeout(forMs), signal]),
      say,
    });
  try {
    if (given.failOver) {
      const faults = await trouble(given, failOverFaultKinds, forMs / 2);
      say("fail-over: begins");
      const promoted = await failOver(given.postgres, given.replicas);
      const promotedAt = now();
      say(`fail-over: ${promoted.name} is the primary`);
      const after = await trouble(given, ["kill a server", "restart a server"], forMs / 2);
      return { faults: [...faults, ...after], promoted, promotedAt };
    }
    // Half of the faults are the replicas' then.
    const kinds = [
      ...faultKinds,
      ...(given.replicas.length === 0 ? [] : replicaFaultKinds),
      ...((given.workers ?? 1) === 1 ? [] : workerFaultKinds),
    ];
    const faults = await trouble(given, kinds, forMs);
    // In the end everybody works once more with everything in order.
    if (!signal.aborted) await sleep(500);
    return { faults };
  } finally {
    clearInterval(ticking);
    over.abort();
    await Promise.all([...clients, keeping]);
  }
}

/** How long after a moment the first change that was sent later was acknowledged. */
function continuedAfter(moment: number, { operations }: Written): number | undefined {
  const later = operations.filter(
    ({ start, request, outcome }) => start > moment && request.kind !== "read" && outcome.kind === "done",
  );
  return later.length === 0 ? undefined : Math.min(...later.map(({ end }) => end)) - moment;
}

/** The schema, the world, and a token for everybody who calls. */
async function prepare(postgres: TroubledPostgres, world: World): Promise<Map<string, string>> {
  await migrate(postgres.connection);
  const database = useDatabase(postgres.url, async () => {});
  try {
    await database.import(...world.changes);
    const tokens = new Map<string, string>();
    for (const userId of [...world.clients, keeper]) tokens.set(userId, await database.token(userId, 30 * 86_400));
    return tokens;
  } finally {
    await database.drop();
  }
}

/** A server that cannot start while Postgres is away says so; everything else it logs as an error is unexpected. */
function unexpectedLines(lines: readonly string[]): Violation[] {
  const unexpected = lines.filter((line) => line.includes('"level"') && !line.includes('"msg":"a worker died'));
  return unexpected.map((line) => ({ what: "logged as unexpected", details: [line.slice(0, 1_000)] }));
}
