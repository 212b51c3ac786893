import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Done, Job } from "./floors/sql-alone.ts";
import { ask, type Load, type Post, send } from "./load.ts";
import { type ServerProcess, startServer, stopProcess } from "./processes.ts";
import type { Statement } from "./statements.ts";
import type { Run } from "./statistics.ts";

/** Something that can be asked the same question as the others. */
export type Side = {
  readonly name: string;
  /** The process of its server, if its processor time is to be measured. */
  readonly pid?: number | undefined;
  run(load: Load): Promise<Run>;
};

export type Servers = {
  readonly ours: ServerProcess;
  readonly rival: ServerProcess;
  readonly memory: ServerProcess;
  readonly sql: ChildProcess;
  stop(): Promise<void>;
};

/** Every side is a process of its own with the same number of connections to Postgres. */
export async function startServers(databaseUrl: string): Promise<Servers> {
  const environment = { DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: "10" };
  const ours = await startOurs(environment);
  const rival = await startServer(["bench/rival/main.ts"], environment);
  const memory = await startServer(["bench/floors/from-memory.ts"], {});
  const sql = fork(path.join(import.meta.dirname, "floors/sql-alone.ts"), {
    env: { ...process.env, ...environment },
    serialization: "advanced",
  });
  await once(sql, "message");
  return {
    ...{ ours, rival, memory, sql },
    stop: async () => {
      await Promise.all([ours.stop(), rival.stop(), memory.stop(), stopProcess(sql)]);
    },
  };
}

/**
 * By the command people use. Slow answers shall show as slow ones, not as refused ones.
 *
 * @param main the main file, by default of this checkout
 */
export function startOurs(environment: Record<string, string>, main = "src/main.ts"): Promise<ServerProcess> {
  return startServer([main, "serve"], {
    LOG_LEVEL: "warn",
    DEFAULT_TIMEOUT_MS: "60000",
    QUEUE_TIMEOUT_MS: "60000",
    ...environment,
  });
}

export function httpSide(name: string, post: Post, { process }: Partial<ServerProcess> = {}): Side {
  return { name, pid: process?.pid, run: (load) => send(post, load) };
}

/** The statements of a request through pg alone. */
export function sqlSide(sql: ChildProcess, statements: Statement[]): Side {
  return {
    name: "the same SQL through pg",
    async run({ connections, seconds, amount }) {
      const workers = Math.min(connections, amount ?? connections);
      const job: Job = { statements, workers, seconds: amount === undefined ? seconds : 0, atLeast: amount ?? 1 };
      sql.send(job);
      const [done] = (await once(sql, "message")) as [Done];
      if (done.failure !== undefined) throw new Error(done.failure);
      return { sent: done.milliseconds.length, seconds: done.seconds, milliseconds: done.milliseconds };
    },
  };
}

/** The same bytes from memory. */
export async function memorySide(memory: ServerProcess, post: Post, body: Uint8Array): Promise<Side> {
  memory.process.send({ authorization: post.headers.authorization, body });
  await once(memory.process, "message");
  const request = { ...post, url: `${memory.url}/list` };
  if (!(await ask(request)).equals(body)) throw new Error("the floor does not send the bytes it was given");
  return httpSide("the same bytes from memory", request);
}
