import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from "prom-client";

/** The metrics of a process, as a list that can be sent to another process. */
export type MetricList = readonly MetricObjectWithValues<MetricValue<string>>[];

export type MergedMetrics = ReturnType<typeof mergeMetrics>;

/** The metrics of several processes as those of one. */
export function mergeMetrics() {
  const latest = new Map<number, MetricList>();
  let counted: MetricList[] = [];

  return {
    /** The list that the process had the last time. */
    keep: (id: number, list: MetricList) => void latest.set(id, list),
    /** What a process that has ended has counted stays. */
    end(id: number): void {
      const last = latest.get(id);
      latest.delete(id);
      if (last !== undefined) counted.push(last.filter(({ type }) => String(type) !== "gauge"));
    },
    async text(own: MetricList): Promise<string> {
      const ended = counted;
      counted = [];
      // As one list, however many have ended.
      if (ended.length > 0) counted.push(await merged(ended).getMetricsAsJSON());
      return merged([own, ...latest.values(), ...counted]).metrics();
    },
  };
}

/** Most metrics are added up. Each says how, if a sum would say nothing. */
function merged(lists: readonly MetricList[]): Registry {
  return AggregatorRegistry.aggregate(
    lists.map((list) => list.map((metric) => ({ ...metric, aggregator: howOf(metric) }))) as object[],
  );
}

/** Of delays, the worst one counts. Its library would leave the start out, and take the average of delays. */
function howOf({ name, aggregator }: MetricList[number]): MetricList[number]["aggregator"] {
  if (name === "process_start_time_seconds") return "min";
  return /^nodejs_eventloop_lag_(?!min)/.test(name) ? "max" : aggregator;
}
