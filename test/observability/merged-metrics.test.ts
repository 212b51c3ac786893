import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { type MetricList, mergeMetrics } from "../../src/observability/merged-metrics.ts";

type Values = { answered: number; waiting: number; lag: number; started?: number };

/** What a process reports, as it arrives from there. */
async function listOf({ answered, waiting, lag, started = 1_000 }: Values): Promise<MetricList> {
  const registry = new Registry();
  const registers = [registry];
  const labelNames = ["code"];
  new Counter({ name: "answered_total", help: "h", labelNames, registers }).inc({ code: "ok" }, answered);
  new Histogram({ name: "seconds", help: "h", buckets: [1, 2], registers }).observe(1.5);
  new Gauge({ name: "waiting", help: "h", registers }).set(waiting);
  const aggregator = "average";
  new Gauge({ name: "nodejs_eventloop_lag_p99_seconds", help: "h", aggregator, registers }).set(lag);
  new Gauge({ name: "process_start_time_seconds", help: "h", aggregator: "omit", registers }).set(started);
  return JSON.parse(JSON.stringify(await registry.getMetricsAsJSON()));
}

const values = (text: string) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

test("Counters, histograms and gauges of all processes are added up, and of lags the worst is shown", async () => {
  const merged = mergeMetrics();
  merged.keep(1, await listOf({ answered: 3, waiting: 1, lag: 0.01, started: 1_001 }));
  merged.keep(2, await listOf({ answered: 4, waiting: 2, lag: 0.5, started: 1_002 }));
  expect(values(await merged.text(await listOf({ answered: 0, waiting: 0, lag: 0.02 })))).toEqual([
    'answered_total{code="ok"} 7',
    ...[
      'seconds_bucket{le="1"} 0',
      'seconds_bucket{le="2"} 3',
      'seconds_bucket{le="+Inf"} 3',
      "seconds_sum 4.5",
      "seconds_count 3",
    ],
    "waiting 3",
    "nodejs_eventloop_lag_p99_seconds 0.5",
    "process_start_time_seconds 1000",
  ]);
});

test("What ended processes have counted stays, and what they had at the moment doesn't", async () => {
  const merged = mergeMetrics();
  const own = await listOf({ answered: 0, waiting: 0, lag: 0 });
  for (const answered of [3, 4, 5]) {
    merged.keep(1, await listOf({ answered, waiting: 1, lag: 0.5 }));
    merged.end(1);
  }
  const shown = values(await merged.text(own));
  expect(shown).toContain('answered_total{code="ok"} 12');
  expect(shown).toContain("waiting 0");
  expect(shown).toContain("nodejs_eventloop_lag_p99_seconds 0");
  merged.keep(1, await listOf({ answered: 1, waiting: 1, lag: 0 }));
  expect(values(await merged.text(own))).toContain('answered_total{code="ok"} 13');
  // A process that was never read leaves nothing.
  merged.end(2);
  expect(values(await merged.text(own))).toContain("seconds_count 5");
});
