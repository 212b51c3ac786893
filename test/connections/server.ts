// The HTTP server of the service without a database, once in clear text and once with TLS, as a process of its own:
// its memory and its sockets are its alone. Its parent asks for them. Needs --expose-gc.

import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { openTls } from "../../src/config/tls.ts";
import { openReadiness } from "../../src/http/readiness.ts";
import { serveRpcs } from "../../src/server.ts";
import { testLimits } from "../support/server.ts";

const [certFile = "", keyFile = ""] = process.argv.slice(2);
const stopping = new AbortController();

async function listen(tls?: Awaited<ReturnType<typeof openTls>>): Promise<number> {
  const app = await serveRpcs(
    { routes() {} },
    {
      limits: { ...testLimits, maximumTimeoutMs: 1_000 },
      corsOrigins: [],
      tls,
      log: pino({ level: "silent" }),
      readiness: openReadiness(async () => true, stopping.signal),
      stopping: stopping.signal,
    },
  );
  await app.listen({ host: "127.0.0.1", port: 0 });
  const address = app.server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

const doors = { clear: await listen(), tls: await listen(await openTls(certFile, keyFile)) };
process.send?.(doors);
process.on("message", async () => {
  // Twice, because what a first collection frees can let go of more.
  for (let count = 0; count < 2; count += 1) {
    globalThis.gc?.();
    await sleep(50);
  }
  const sockets = process.getActiveResourcesInfo().filter((kind) => /TCPSocket|TLS/.test(kind)).length;
  process.send?.({ sockets, heap: process.memoryUsage().heapUsed });
});
process.once("disconnect", () => process.exit());
