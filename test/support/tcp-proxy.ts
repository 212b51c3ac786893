import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import pg from "pg";
import { afterAll } from "vitest";

export type TcpProxy = Awaited<ReturnType<typeof openProxy>>;

/**
 * A way to a Postgres server that can be cut, or made to swallow everything.
 *
 * @param listener makes what hears everything that goes to Postgres on a new connection
 */
export async function openProxy(databaseUrl: string, listener?: () => (chunk: Buffer) => void) {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl });
  const target = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const sockets = new Set<Socket>();
  const swallowed = new Set<Socket>();
  let swallowing = false;
  let delayMs = 0;
  let held: (() => void)[] | undefined;

  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ ...target, allowHalfOpen: true });
    if (swallowing) swallowed.add(near).add(far);
    if (listener !== undefined) near.on("data", listener());
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      const pass = (forward: () => void) => {
        if (swallowed.has(from)) return;
        if (held !== undefined && from === near) held.push(forward);
        else if (delayMs === 0 || from !== near) forward();
        else setTimeout(forward, delayMs);
      };
      from.on("data", (chunk) => pass(() => to.writable && to.write(chunk)));
      // What ends a swallowed connection is seen on the other side, as when a system gives it up.
      from.on("end", () => (swallowed.has(from) ? from.destroy() : pass(() => to.end())));
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        swallowed.delete(from);
        to.destroy();
      });
    }
  });
  await listen(server, 0);
  const { port: own } = server.address() as AddressInfo;
  const url = new URL("postgresql://127.0.0.1");
  url.port = String(own);
  url.pathname = `/${database}`;
  url.username = user ?? "";
  url.password = typeof password === "string" ? password : "";

  function breakAll(): void {
    for (const socket of sockets) socket.destroy();
  }

  return {
    /** The database's URL by way of the proxy. */
    url: url.toString(),
    /** Breaks every connection and accepts no new one. */
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve));
      breakAll();
      await closed;
    },
    /** Forwards for new connections, after either. What a swallowed connection was to carry is lost for ever. */
    async restore() {
      swallowing = false;
      if (!server.listening) await listen(server, own);
    },
    /** Takes so long to forward what goes to Postgres, in milliseconds. */
    slowDown(ms: number) {
      delayMs = ms;
    },
    /** Keeps what goes to Postgres, and returns what forwards it and all that follows. */
    hold(): () => void {
      const kept: (() => void)[] = [];
      held = kept;
      return () => {
        if (held === kept) held = undefined;
        for (const forward of kept.splice(0)) forward();
      };
    },
    /** Keeps every connection, also new ones, and forwards nothing on them any more. */
    swallow() {
      swallowing = true;
      for (const socket of sockets) swallowed.add(socket);
    },
    async close() {
      breakAll();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
}

/** The same for all tests of a file. */
export async function proxyOfTests(url: string): Promise<TcpProxy> {
  const proxy = await openProxy(url);
  afterAll(() => proxy.close());
  return proxy;
}
