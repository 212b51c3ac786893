import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, open, writeFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { isPostgresOf, readPostmasterFile } from "../../src/embedded/postmaster-file.ts";
import { freePort } from "../support/free-port.ts";
import { childrenOf, sendSignal } from "../support/processes.ts";
import { openProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { account, asAccount } from "./account.ts";
import { programs } from "./install.ts";
import { settingsAt, superuser } from "./settings.ts";

export type Member = Awaited<ReturnType<typeof openMember>>;

/** A Patroni with its Postgres. */
export async function openMember(name: string, folder: string, etcdPort: number) {
  const own = path.join(folder, name);
  const data = path.join(own, "data");
  const [postgresPort, restPort] = [await freePort(), await freePort()];
  const address = (port: number | string) => `127.0.0.1:${port}`;
  const wayTo = (port: number) => openProxy(`postgresql://${address(port)}/authz`);
  /** The ways over which it talks. Each can be cut. */
  const ways = {
    etcd: await wayTo(etcdPort),
    /** From the other members to its Postgres and to its REST API. */
    replication: await wayTo(postgresPort),
    rest: await wayTo(restPort),
    /** From the servers to its Postgres. */
    clients: await wayTo(postgresPort),
  };
  const end = (way: TcpProxy) => new URL(way.url).host;
  const file = path.join(own, "patroni.yml");
  const place = {
    ...{ name, folder: own, data, etcd: end(ways.etcd) },
    ...{ postgres: address(postgresPort), rest: address(restPort) },
    ...{ postgresForOthers: end(ways.replication), restForOthers: end(ways.rest) },
  };
  await mkdir(own);
  await writeFile(file, settingsAt(place), { mode: 0o600 });
  for (const each of [own, file]) if (account !== undefined) await chown(each, account.uid, account.gid);
  let patroni: ChildProcess | undefined;

  /** Patroni first, or it would start Postgres again. */
  async function signalAll(signal: NodeJS.Signals): Promise<number[]> {
    const signalled: number[] = [];
    const send = (pid: number) => {
      if (sendSignal(pid, signal)) signalled.push(pid);
    };
    if (patroni?.pid !== undefined) send(patroni.pid);
    const postmaster = (await readPostmasterFile(data))?.pid;
    if (postmaster === undefined || !(await isPostgresOf(data, postmaster))) return signalled;
    // Before its children, so that it starts no new one.
    sendSignal(postmaster, "SIGSTOP");
    const children = childrenOf(postmaster);
    for (const pid of [postmaster, ...children]) send(pid);
    return signalled;
  }

  return {
    ...{ name, ways, file },
    /** Its REST API and its Postgres, past everything that can be cut. */
    restUrl: `http://${address(restPort)}`,
    connection: {
      ...{ host: "127.0.0.1", port: postgresPort, database: "postgres" },
      ...{ user: superuser.username, password: superuser.password, connectionTimeoutMillis: 1_000 },
    } satisfies pg.ClientConfig,
    async start() {
      patroni = await startLogged(own, programs.patroni, file);
    },
    /** Kills Patroni, and its Postgres with all of its processes, as if the machine were gone. */
    async kill() {
      const ended = patroni && once(patroni, "exit");
      await signalAll("SIGKILL");
      await ended;
    },
    /** Halts the same processes, and returns what lets them run again. */
    async pause() {
      const halted = await signalAll("SIGSTOP");
      return () => {
        for (const pid of halted.toReversed()) sendSignal(pid, "SIGCONT");
      };
    },
  };
}

/** Starts a program as the account of the tests, in a session of its own. The guard of the folder knows it by the file `pid`. */
export async function startLogged(folder: string, ...command: readonly string[]): Promise<ChildProcess> {
  await using log = await open(path.join(folder, "log"), "a");
  const [program = "", ...args] = asAccount(...command);
  const child = spawn(program, args, {
    ...{ cwd: folder, detached: true, stdio: ["ignore", log.fd, log.fd] },
    env: { PATH: process.env.PATH ?? "", HOME: folder, LC_ALL: "C.UTF-8" },
  });
  await once(child, "spawn");
  await writeFile(path.join(folder, "pid"), String(child.pid));
  return child;
}
