import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from "prom-client";

/** The metrics of a process, as a list that can be sent to another process. */
export type MetricList = readonly MetricObjectWithValues<MetricValue<string>>[];

/** The metrics of several processes as those of one. */
export type MergedMetrics = {
  /** The list that the process had the last time. */
  keep(id: number, list: MetricList): void;
  /** What a process that has ended has counted stays. */
  end(id: number): void;
  text(own: MetricList): Promise<string>;
};

export function mergeMetrics(): MergedMetrics {
  const latest = new Map<number, MetricList>();
  let counted: MetricList[] = [];

  return {
    keep: (id, list) => void latest.set(id, list),
    end(id) {
      const last = latest.get(id);
      latest.delete(id);
      if (last !== undefined) counted.push(last.filter(({ type }) => String(type) !== "gauge"));
    },
    async text(own) {
      const ended = counted;
      counted = [];
      // As one list, however many have ended.
      if (ended.length > 0) counted.push(await merged(ended).getMetricsAsJSON());
      return merged([own, ...latest.values(), ...counted]).metrics();
    },
  };
}

/** Adds values up. Where a sum would say nothing, such as for a delay, the worst value of all processes is taken. */
function merged(lists: readonly MetricList[]): Registry {
  return AggregatorRegistry.aggregate(
    lists.map((list) => list.map((metric) => ({ ...metric, aggregator: how(metric) }))) as object[],
  );
}

function how({ name, aggregator }: MetricList[number]): MetricList[number]["aggregator"] {
  if (/^nodejs_eventloop_lag_(?!min)/.test(name)) return "max";
  return own[name] ?? aggregator;
}

const own: Record<string, MetricList[number]["aggregator"]> = {
  process_start_time_seconds: "min",
  authorization_memory_limit_bytes: "max",
  authorization_replica_used: "min",
  authorization_replica_left_out: "max",
  authorization_replica_lag_bytes: "max",
  authorization_replica_lag_seconds: "max",
};
