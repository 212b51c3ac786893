import { type Running, startCommand } from "../support/command.ts";
import { freePort } from "../support/free-port.ts";

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

/** Addresses nobody listens on at the moment. */
export async function freeUrls(count: number): Promise<string[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports].map((port) => `http://127.0.0.1:${port}`);
}
