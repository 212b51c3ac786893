import { onTestFinished } from "vitest";
import { type Running, startCommand } from "../support/command.ts";
import { freePort } from "../support/free-port.ts";
import { openBalancer } from "./balancer.ts";

/** A server of a deployment, which keeps its address when it is started again. */
export type Server = { readonly url: string; readonly running: Running };

/** Starts `serve` as a process of its own; of another version when its main file is given. */
export function startServer(url: string, databaseUrl: string, env: Record<string, string> = {}, main?: string): Server {
  const { port } = new URL(url);
  return { url, running: startCommand(["serve"], { env: { DATABASE_URL: databaseUrl, PORT: port, ...env }, main }) };
}

/** Ends it as a deployment does; resolves to its exit code. */
export async function stopServer({ running }: Server): Promise<number | null> {
  running.process.kill("SIGTERM");
  return (await running.ended).code;
}

/** Starts so many servers until the test ends; resolves when what stands before them has found all ready. */
export async function deploy(count: number, start: (url: string) => Server) {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  const servers = [...ports].map((port) => start(`http://127.0.0.1:${port}`));
  const balancer = openBalancer(servers.map(({ url }) => url));
  onTestFinished(async () => {
    for (const { running } of servers) running.process.kill("SIGKILL");
    await Promise.all([balancer.close(), ...servers.map(({ running }) => running.ended)]);
  });
  for (const { url } of servers) await balancer.untilReady(url);
  return { servers, balancer };
}
