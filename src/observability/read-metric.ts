import { Counter, Gauge, type Registry } from "prom-client";

/** A value that is read for each scrape, with its labels. Undefined is left out. */
type Value = readonly [value: number | undefined, labels?: Readonly<Record<string, string>>];

type Metric = {
  /** Without the prefix of all metrics. */
  readonly name: string;
  readonly help: string;
  readonly labelNames?: string[];
  /** How the values of several workers become one; by default, their sum. */
  readonly aggregator?: "min" | "max";
};

/** Adds a metric whose values are read for each scrape. What is no longer there is left out: an old value would look fresh. */
export function addRead(registry: Registry, kind: "counter" | "gauge", metric: Metric, read: () => Iterable<Value>) {
  function collect(this: Counter | Gauge): void {
    this.reset();
    // Without labels, it would now be 0.
    if (metric.labelNames === undefined) this.remove();
    for (const [value, labels = {}] of read()) {
      if (value === undefined) continue;
      if (this instanceof Gauge) this.set(labels, value);
      else this.inc(labels, value);
    }
  }
  const configuration = { ...metric, name: `authorization_${metric.name}`, registers: [registry], collect };
  if (kind === "gauge") new Gauge(configuration);
  else new Counter(configuration);
}
