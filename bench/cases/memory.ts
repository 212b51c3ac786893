import { askOurs, type Case } from "../bench.ts";
import { send } from "../load.ts";
import { memoryOf } from "../processes.ts";
import { startOurs } from "../sides.ts";
import { median, summarize } from "../statistics.ts";
import { throughput } from "./pages.ts";

const minutes = 5;

/** The resident memory of a fresh server while it answers pages of 100 for five minutes. */
export const memoryCase: Case = {
  name: "memory",
  title: "memory of the server, pages of 100 for five minutes",
  slow: true,
  async run(bench) {
    const server = await startOurs({ DATABASE_URL: bench.worldUrl });
    const widened = { ...bench, servers: { ...bench.servers, ours: server } };
    try {
      const post = askOurs(widened, "largest", "ListAuthorizations", { pagination: { limit: 100 } });
      const ofMinutes: number[] = [];
      const runs = [];
      for (let minute = 1; minute <= minutes; minute += 1) {
        const samples: number[] = [];
        const sampling = setInterval(async () => samples.push((await memoryOf(server.process.pid)).now), 1_000);
        runs.push(await send(post, { connections: 16, seconds: 60 }));
        clearInterval(sampling);
        ofMinutes.push(median(samples));
        bench.say(`  minute ${minute}: ${median(samples).toFixed(0)} MiB`);
      }
      const [first = Number.NaN] = ofMinutes;
      return {
        measurements: [{ side: "ours, JSON", load: throughput, connections: 16, ...summarize(runs) }],
        numbers: {
          "peak MiB": (await memoryOf(server.process.pid)).peak,
          "MiB in minute 1": first,
          "MiB in minute 5": ofMinutes.at(-1) ?? Number.NaN,
        },
        notes: [],
      };
    } finally {
      await server.stop();
    }
  },
};
