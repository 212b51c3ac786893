import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export type HttpServer = Awaited<ReturnType<typeof startHttpServer>>;

/** An HTTP server on this machine, for what the service calls. */
export async function startHttpServer(answer: RequestListener, port = 0) {
  const server = createServer(answer);
  const listening = async (at: number) => {
    server.listen(at, "127.0.0.1");
    await once(server, "listening");
  };
  await listening(port);
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    /** Accepts no connection any more, until it is started again. */
    async stop() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
    start: () => listening(own),
  };
}
