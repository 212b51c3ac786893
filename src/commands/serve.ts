import { once } from "node:events";
import type { Config } from "../config/config.ts";
import { logConsole, openLog } from "../observability/log.ts";
import { version } from "../observability/version.ts";
import { openConsole } from "./console.ts";
import { greeting, warnWithoutOwner } from "./first-minute.ts";
import { startObserving } from "./observe.ts";
import { onPostgres, prepareSchema } from "./postgres.ts";
import { openService, readTls, type Serving, type ServingOptions } from "./service.ts";

const signals = ["SIGTERM", "SIGINT"] as const;

/** Serves, and prints how to call the server. Loads the demo world into an empty embedded database. */
export const start = (config: Config) => serveUntilStopped(config, true);
export const serve = (config: Config) => serveUntilStopped(config, false);

/**
 * Serves until SIGTERM or SIGINT, then finishes the requests in flight and stops. docs/how-to/deploy.md says how to
 * deploy it.
 */
async function serveUntilStopped(config: Config, greet: boolean): Promise<void> {
  const controller = new AbortController();
  const stopping = controller.signal;
  for (const signal of signals) process.once(signal, () => controller.abort());

  const tls = await readTls(config);
  const isAlone = config.workers === 1;
  const open = isAlone ? openAlone : (await import("./serve-with-workers.ts")).openWithWorkers;
  try {
    await onPostgres(config, { kind: "server" }, async (postgres) => {
      await prepareSchema(config, postgres.connection);
      const operators = openLog(config.logLevel, !isAlone);
      const { log } = operators;
      logConsole(log);
      log.info({ version }, "starting");
      const consoleFiles = await openConsole(config.console, log);
      const serving = await open({ config, postgres, tls, consoleFiles, operators, stopping });
      try {
        const url = await serving.listen();
        if (url === undefined) return;
        // Until it is reached, a second signal ends a server that waits. From then on it finishes its requests, whatever signals
        // follow: npm passes on a Ctrl-C that the terminal has sent to the server, too.
        for (const signal of signals) process.on(signal, () => {});
        const address = { url, hasConsole: consoleFiles !== undefined };
        if (greet) process.stdout.write(`\n${await greeting(config, postgres, serving.database, address)}\n\n`);
        else await warnWithoutOwner(config, serving.database, (message) => log.warn(message), stopping);
        const aborted = stopping.aborted ? undefined : once(stopping, "abort");
        await Promise.race([aborted, ...(serving.lost === undefined ? [] : [serving.lost])]);
        log.info("stopping: finishing the requests in flight");
      } finally {
        if (await serving.stop()) log.info("stopped");
      }
    });
  } finally {
    // A trace collector that doesn't answer must not keep a stopped server alive.
    setTimeout(() => process.exit(), 500).unref();
  }
}

async function openAlone(options: ServingOptions): Promise<Serving> {
  const observing = await startObserving(options.config, options.operators.log);
  const service = await openService({ ...options, observing });
  return {
    ...service,
    async listen() {
      await observing.expose(service.sources);
      return service.listen();
    },
  };
}
