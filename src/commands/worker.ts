import { once } from "node:events";
import type pg from "pg";
import type { Config } from "../config/config.ts";
import { logConsole, openLog } from "../observability/log.ts";
import { type Messages, openMessages } from "../workers/messages.ts";
import { CommandError } from "./command-error.ts";
import { openConsole } from "./console.ts";
import { startObserving } from "./observe.ts";
import { joinPostgres } from "./postgres.ts";
import { openService, readTls } from "./service.ts";

/** What the primary process tells a worker first. */
export type Begin = {
  /** From 1 on. */
  readonly number: number;
  readonly count: number;
  /** The connection to the embedded PostgreSQL; undefined with DATABASE_URL. */
  readonly embedded?: pg.ClientConfig;
};

/** One of the processes of a server with WORKERS. Serves until its primary process says stop, or ends. */
export async function serveAsWorker(config: Config): Promise<void> {
  if (process.send === undefined) throw new CommandError("Only a server starts workers: set WORKERS, and run serve.");
  // A terminal sends Ctrl-C to all processes, and systemd SIGTERM. The primary process gets it, too, and says stop.
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => {});
  const messages = openMessages(process);
  const stopping = new AbortController();
  messages.received.on("stop", () => stopping.abort());
  const [begin] = (await once(messages.received, "begin")) as [Begin];
  try {
    await work(config, messages, begin, stopping.signal);
  } catch (error) {
    const shown = error instanceof CommandError ? error.message : (error as Error).stack;
    await messages.tell("failed", shown);
    process.exit(1);
  }
  // With nothing left to do, it ends.
  process.disconnect?.();
}

async function work(shared: Config, { tell, received }: Messages, begin: Begin, stopping: AbortSignal): Promise<void> {
  const config = ownPart(shared, begin);
  const tls = await readTls(config);
  const postgres = await joinPostgres(config, begin.embedded);
  const operators = openLog(config.logLevel, true);
  const { log } = operators;
  logConsole(log);
  // The primary process says what is wrong with the console, once.
  const consoleFiles = await openConsole(config.console, { warn: () => {} });
  const observing = await startObserving(config, log);
  const service = await openService({ config, postgres, tls, consoleFiles, operators, observing, stopping });
  try {
    const { values, dataDirectory, ...sources } = service.sources;
    const metrics = await observing.collect({ ...sources, dataDirectory: undefined });
    received.on("metrics", async () => tell("metrics", await metrics?.()));
    const { level } = log;
    // Fastify writes a line for each address. The primary process says where all workers listen.
    log.level = "silent";
    const url = await service.listen();
    log.level = level;
    await tell("listening", url);
    if (!stopping.aborted) await once(stopping, "abort");
  } finally {
    await service.stop();
    await postgres.stop();
  }
}

/** Each worker enforces its part of every limit on its own: a caller on one connection has the part of one worker. */
function ownPart(config: Config, { number, count }: Begin): Config {
  // The first workers get one more, if it can't be divided. Each needs one.
  const partOf = (whole: number) => Math.max(1, Math.floor(whole / count) + (number <= whole % count ? 1 : 0));
  const { rateLimit } = config;
  return {
    ...config,
    workers: count,
    databasePoolSize: partOf(config.databasePoolSize),
    maximumConnections: partOf(config.maximumConnections),
    maximumInFlight: partOf(config.maximumInFlight),
    maximumStreams: partOf(config.maximumStreams),
    rateLimit: rateLimit && { ...rateLimit, requests: partOf(rateLimit.requests) },
  };
}
