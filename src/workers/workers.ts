import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import { type Messages, openMessages } from "./messages.ts";

/** A worker that runs. */
export type RunningWorker = { readonly number: number; readonly messages: Messages; serves: boolean };

/** A worker is replaced at once, but not sooner than this after its start, in milliseconds. */
const leastLifeMs = 1_000;

export type Workers = ReturnType<typeof openWorkers>;

export type WorkersOptions = {
  readonly count: number;
  /** What each worker is started with: the file and its arguments. */
  readonly main: string;
  readonly args: readonly string[];
  /** What each needs to begin. */
  readonly begin: object;
  readonly leave: (running: RunningWorker) => void;
  readonly log: Pick<FastifyBaseLogger, "error" | "warn">;
};

/** Workers that serve one port, and are replaced when they die. */
export function openWorkers({ count, main, args, begin, leave, log }: WorkersOptions) {
  const workers = new Map<Worker, RunningWorker>();
  const deaths = new Map<string, number>();
  const started = Promise.withResolvers<string>();
  const lost = Promise.withResolvers<never>();
  for (const { promise } of [started, lost]) promise.catch(() => {});
  const stopping = new AbortController();
  let hasStarted = false;
  cluster.setupPrimary({ exec: main, args: [...args] });
  // For example, a worker that can't be started because the system has no process left.
  cluster.on("error", (error) => log.error({ err: error }, "a worker can't be reached"));

  function start(number: number): void {
    const worker = cluster.fork();
    const bornAt = performance.now();
    let failure: string | undefined;
    const messages = openMessages(worker.process);
    const running: RunningWorker = { number, messages, serves: false };
    workers.set(worker, running);
    worker.on("error", (err) => log.warn({ worker: number, err }, "a worker can't be reached"));
    messages.received.on("failed", (message: string) => {
      failure = message;
    });
    messages.received.on("listening", (url: string) => {
      running.serves = true;
      const all = [...workers.values()];
      if (hasStarted || all.length < count || !all.every(({ serves }) => serves)) return;
      hasStarted = true;
      started.resolve(url);
    });
    const ended = async (code: number | string | null, signal: string | null) => {
      workers.delete(worker);
      leave(running);
      if (stopping.signal.aborted) return;
      const how = signal ?? String(code);
      deaths.set(how, (deaths.get(how) ?? 0) + 1);
      // Later on, others may be starting, and what a worker needs may come back.
      if (!hasStarted && !running.serves) return giveUp(failure ?? `A worker ended with ${how} before it could serve.`);
      log.error(
        { worker: number, workerPid: worker.process.pid, how, reason: failure },
        "a worker died and is replaced",
      );
      const pauseMs = Math.max(0, leastLifeMs - (performance.now() - bornAt));
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted) start(number);
    };
    worker.process.once("exit", ended);
    // One that the system can't start, for example without a file descriptor, has no exit.
    worker.process.once("error", ({ code }: NodeJS.ErrnoException) => {
      if (worker.process.pid === undefined) void ended(code ?? null, null);
    });
    void messages.tell("begin", { number, count, ...begin });
  }

  /** Without workers there is nothing to wait for. */
  function giveUp(why: string): void {
    started.reject(new Error(why));
    lost.reject(new Error(why));
  }

  for (let number = 1; number <= count; number += 1) start(number);

  return {
    /** Resolves to their URL once all serve. Rejects if one can't, with its message for people. */
    started: started.promise,
    /** Rejects if no worker can be had any more. Never resolves. */
    lost: lost.promise,
    /** Those that serve. */
    serving: (): readonly RunningWorker[] => [...workers.values()].filter(({ serves }) => serves),
    /** How many died, by how: a signal or an exit code. */
    deaths: deaths as ReadonlyMap<string, number>,
    /** Lets them finish. Those that still run after that many milliseconds are killed. */
    async stop(withinMs: number): Promise<void> {
      stopping.abort();
      const ended = [...workers].map(async ([worker, { number, messages }]) => {
        const gone = once(worker.process, "exit");
        void messages.tell("stop");
        const kill = setTimeout(() => {
          log.warn({ worker: number, workerPid: worker.process.pid }, "a worker did not stop in time and is killed");
          worker.process.kill("SIGKILL");
        }, withinMs);
        await gone;
        clearTimeout(kill);
      });
      await Promise.all(ended);
    },
  };
}
