import { createServer } from "node:net";
import { type Running, startCommand } from "../support/command.ts";

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
  const servers = await Promise.all(Array.from({ length: count }, listen));
  return Promise.all(servers.map(({ port, close }) => close().then(() => `http://127.0.0.1:${port}`)));
}

function listen(): Promise<{ port: number; close: () => Promise<void> }> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" ? (address?.port ?? 0) : 0;
      resolve({ port, close: () => new Promise((closed) => server.close(() => closed())) });
    });
  });
}
