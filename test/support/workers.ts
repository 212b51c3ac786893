import { openHttp2 } from "./http2.ts";
import { workersOf } from "./processes.ts";
import { startInTest } from "./start-in-test.ts";
import { until } from "./until.ts";

/** A server with several workers. It ends with its test at the latest. */
export async function startWorkers(env: Record<string, string>, count = 2) {
  const running = startInTest(["serve"], {
    env: { PORT: "0", METRICS_PORT: "0", WORKERS: String(count), ...env },
  });
  let said = "";
  running.process.stderr?.on("data", (text: string) => {
    said += text;
  });
  const first = await running.until("stderr", /Server listening at/);
  const url = /listening at (https?:\/\/[^"]*)/.exec(first)?.[1] ?? "";
  const metricsUrl = /serving metrics at (http:[^"]*)/.exec(first)?.[1] ?? "";
  /** What it has logged so far. */
  const log = (): Record<string, unknown>[] =>
    said
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .flatMap((line) => {
        try {
          return [JSON.parse(line)];
        } catch {
          // The last one may be incomplete.
          return [];
        }
      });
  /** The processes that serve now. */
  const pids = () => workersOf(running.process.pid);
  const isComplete = async () =>
    (await fetch(metricsUrl).then((answer) => answer.text())).includes(`authorization_workers ${count}\n`);

  return {
    ...running,
    ...{ url, metricsUrl, log, pids },
    /** Waits until all serve. */
    async untilComplete() {
      await until("all workers to serve", isComplete);
      return pids();
    },
    /** A connection over HTTP/2 to each worker, by its process. */
    async connections() {
      const found = new Map<number, ReturnType<typeof openHttp2>>();
      while (found.size < count) {
        const client = openHttp2(url, { rejectUnauthorized: false });
        const requestId = `connection-${Math.random().toString().slice(2)}`;
        await client.send({ ":path": "/nothing", "x-request-id": requestId });
        const pid = await until(
          "the line of its request",
          () => log().find((line) => line.requestId === requestId)?.pid,
        );
        if (found.has(pid as number)) await client.close();
        else found.set(pid as number, client);
      }
      return found;
    },
  };
}
