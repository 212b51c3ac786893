import { callerKinds } from "./callers.ts";
import { latency, throughput } from "./cases/pages.ts";
import { findMeasurement, findNumber, type Results } from "./results.ts";

export type Target = {
  readonly title: string;
  readonly bound: "at least" | "at most";
  readonly value: number;
  readonly unit?: string;
  /** Undefined where it was not measured. `larger` is the world ten times as large. */
  got(results: Results, larger: Results | undefined): number | undefined;
};

const kinds = Object.keys(callerKinds);
const fullPages = ["instance", "largest", "large", "small", "fifty", "project", "grant"].map((kind) => `page-${kind}`);

export const targets: readonly Target[] = [
  {
    title: "page of 100, owner of the largest organization, JSON, requests/s ÷ rival",
    ...{ bound: "at least", value: 2 },
    got: (results) => rate(results, "page-largest", "ours, JSON", "rival"),
  },
  {
    title: "page of 100, owner of an organization with few rows, JSON, requests/s ÷ rival",
    ...{ bound: "at least", value: 2 },
    got: (results) => rate(results, "page-small", "ours, JSON", "rival"),
  },
  {
    title: "own list of a plain user, requests/s ÷ rival",
    ...{ bound: "at least", value: 1 },
    got: (results) => rate(results, "page-own", "ours, JSON", "rival"),
  },
  {
    title: "viewer of fifty organizations, page of 100, requests/s ÷ rival",
    ...{ bound: "at least", value: 30 },
    got: (results) => rate(results, "page-fifty", "ours, JSON", "rival"),
  },
  {
    title: "page of 100 of the largest organization, exact total, p50 ours ÷ rival",
    ...{ bound: "at most", value: 0.05 },
    got: (results) => divide(p50(results, "page-largest", "ours, JSON"), p50(results, "page-largest", "rival")),
  },
  {
    title: "p50 of a full page: slowest ÷ fastest of the kinds of caller",
    ...{ bound: "at most", value: 1.5 },
    got(results) {
      const times = fullPages
        .filter((name) => findNumber(results, name, "rows in the page") === 100)
        .flatMap((name) => p50(results, name, "ours, JSON") ?? []);
      return times.length < 2 ? undefined : Math.max(...times) / Math.min(...times);
    },
  },
  {
    title: "p50 of page 10,000 by cursor ÷ page 1",
    ...{ bound: "at most", value: 1.2 },
    got: (results) => findNumber(results, "cursor", "p50 far ÷ first"),
  },
  {
    title: "exact total, unfiltered, instance owner, inside Postgres",
    ...{ bound: "at most", value: 10, unit: "ms" },
    got: (results) => findNumber(results, "total", "ms in Postgres"),
  },
  {
    title: "overview of everything there is to see, p50 of the slowest kind of caller",
    ...{ bound: "at most", value: 50, unit: "ms" },
    got(results) {
      const times = kinds.flatMap((kind) => p50(results, `overview-${kind}`, "ours, JSON") ?? []);
      return times.length < kinds.length ? undefined : Math.max(...times);
    },
  },
  {
    title: "selective text search, p50 of the slowest",
    ...{ bound: "at most", value: 50, unit: "ms" },
    got(results) {
      const names = ["search-name", "search-login", "search-largest"];
      const times = names.flatMap((name) => p50(results, name, "ours, JSON") ?? []);
      return times.length === 0 ? undefined : Math.max(...times);
    },
  },
  {
    title: "UpdateAuthorization, requests/s ÷ rival",
    ...{ bound: "at least", value: 0.7 },
    got: (results) => rate(results, "update", "ours, JSON", "rival"),
  },
  ...["batch-update", "batch-create", "batch-set-state", "batch-delete"].map(
    (name): Target => ({
      title: `${name}, items/s ÷ single calls`,
      ...{ bound: "at least", value: 10 },
      got: (results) => findNumber(results, name, "items/s, batches ÷ single calls"),
    }),
  ),
  {
    title: "32 writers into one organization and project, totals kept ÷ without",
    ...{ bound: "at least", value: 0.8 },
    got: (results) => findNumber(results, "create", "kept ÷ without"),
  },
  {
    title: "import ÷ raw COPY of the same rows, rows/s",
    ...{ bound: "at least", value: 0.5 },
    got: (results) => findNumber(results, "import", "rows/s, import ÷ COPY"),
  },
  {
    title: "p50 growth of a page to a world ten times as large, worst kind of caller",
    ...{ bound: "at most", value: 1.2 },
    got(results, larger) {
      const growths = fullPages
        .filter((name) => findNumber(results, name, "rows in the page") === 100)
        .flatMap((name) => divide(p50(larger, name, "ours, JSON"), p50(results, name, "ours, JSON")) ?? []);
      return growths.length === 0 ? undefined : Math.max(...growths);
    },
  },
  {
    title: "peak memory of the server under pages of 100",
    ...{ bound: "at most", value: 350, unit: "MiB" },
    got: (results) => findNumber(results, "memory", "peak MiB"),
  },
  {
    title: "memory of the server, minute 5 ÷ minute 1",
    // What a collector leaves from one minute to the next differs by this much without growing.
    ...{ bound: "at most", value: 1.05 },
    got: (results) =>
      divide(findNumber(results, "memory", "MiB in minute 5"), findNumber(results, "memory", "MiB in minute 1")),
  },
];

function rate(results: Results, name: string, ours: string, theirs: string): number | undefined {
  const achieved = (side: string) => findMeasurement(results, name, side, throughput)?.achieved;
  return divide(achieved(ours), achieved(theirs));
}

function p50(results: Results | undefined, name: string, side: string): number | undefined {
  return findMeasurement(results, name, side, latency)?.p50;
}

function divide(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a / b;
}
