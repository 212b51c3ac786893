/** What one side did in one round. */
export type Run = {
  /** Requests that were sent. */
  readonly sent: number;
  readonly seconds: number;
  /** How long each answered request took. */
  readonly milliseconds: readonly number[];
  /** Processor time that the server and Postgres used meanwhile, in milliseconds. */
  readonly processor?: { readonly server: number; readonly postgres: number };
};

/** Rates are requests a second, times milliseconds. Each number is the median over the rounds. */
export type Summary = {
  readonly offered: number;
  readonly achieved: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Processor time of the server and of Postgres for one request, in milliseconds. */
  readonly serverMs?: number;
  readonly postgresMs?: number;
};

export function summarize(runs: readonly Run[]): Summary {
  const sorted = runs.map((run) => [...run.milliseconds].sort((a, b) => a - b));
  const over = (share: number) => median(sorted.map((times) => percentile(times, share)));
  return {
    offered: median(runs.map((run) => run.sent / run.seconds)),
    achieved: median(runs.map((run) => run.milliseconds.length / run.seconds)),
    p50: over(0.5),
    p95: over(0.95),
    p99: over(0.99),
    ...processorOf(runs),
  };
}

function processorOf(runs: readonly Run[]): Pick<Summary, "serverMs" | "postgresMs"> {
  const each = (of: "server" | "postgres") =>
    median(runs.map(({ processor, milliseconds }) => (processor?.[of] ?? Number.NaN) / milliseconds.length));
  const [serverMs, postgresMs] = [each("server"), each("postgres")];
  return Number.isNaN(serverMs) ? {} : { serverMs, postgresMs };
}

/** How many times as many requests a second the first of two sides answered: the median of what it was in each round. */
export function ratioOf(first: readonly Run[], second: readonly Run[]): number {
  const rate = (run: Run | undefined) => (run === undefined ? Number.NaN : run.milliseconds.length / run.seconds);
  return median(first.map((run, round) => rate(run) / rate(second[round])));
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** The smallest of the sorted numbers that this share of them does not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
