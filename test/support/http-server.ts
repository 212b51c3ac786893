import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export type HttpServer = {
  readonly url: string;
  /** Accepts no connection any more, until it is started again. */
  stop(): Promise<void>;
  start(): Promise<void>;
};

/** An HTTP server on this machine, for what the service calls. */
export async function startHttpServer(answer: RequestListener, port = 0): Promise<HttpServer> {
  const server = createServer(answer);
  const listening = async (at: number) => {
    server.listen(at, "127.0.0.1");
    await once(server, "listening");
  };
  await listening(port);
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
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
