// Holds what operators are given, the documentation, the dashboard and the alerts, against the metrics of a real server.

import { parser } from "@prometheus-io/lezer-promql";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { anchorOf } from "../../scripts/documentation/anchors.ts";
import { createSmallWorld } from "../support/database.ts";
import { read, root } from "../support/repository.ts";
import { scrape } from "../support/scrape.ts";
import { serveTests } from "../support/server.ts";

const metricsPage = read("docs/reference/metrics.md");
const alertsPage = read("docs/how-to/respond-to-alerts.md");
/** Everywhere that operators read names of metrics. */
const pages = [
  metricsPage,
  alertsPage,
  ...["monitor", "read-from-replicas", "scale-out", "import-data"].map((name) => read(`docs/how-to/${name}.md`)),
  read("docs/reference/logs-and-traces.md"),
].join("\n");
const dashboard = JSON.parse(read("ops/dashboard.json"));
const rules: { alert: string; expr: string; annotations: { runbook_url: string } }[] = parse(
  read("ops/alerts.yml"),
).groups.flatMap((group: any) => group.rules);
const queries: string[] = dashboard.panels.flatMap((panel: any) => panel.targets.map((target: any) => target.expr));

/** What Prometheus itself makes of whether it can read a server's metrics. */
const ofPrometheus = "up";

/** A server that has answered something of each kind. */
const database = await createSmallWorld();
// The primary itself, so there is a replica that is left out, and reads that were sent to it.
const workers = { serving: () => 2, deaths: new Map([["SIGKILL", 1]]) };
const server = await serveTests({ database, replicaUrls: [database.url], metrics: true, workers, dataDirectory: root });
const token = await server.database.token("root");
await server.call("ListAuthorizations", {}, { token });
await server.call("UpdateAuthorization", { id: "a1", roleKeys: ["seller"] }, { token });
await server.call("UpdateAuthorization", { id: "never" }, { token });
await server.call("ListAuthorizations", {});
await server.call("Nope", {}, { token });
const scraped = await scrape(server.metricsUrl);

/** The names of series there are: those of metrics that have had no value yet, and the three of histograms, too. */
function names(): Set<string> {
  const series = [...scraped.values.keys()].map((name) => name.replace(/\{.*/, ""));
  return new Set([...series, ...scraped.metrics, ofPrometheus]);
}

/** The metrics that an expression in PromQL reads. Throws when it is none. */
function metricsOf(expression: string): string[] {
  const text = expression.replaceAll("$__rate_interval", "1m");
  const found: string[] = [];
  parser.parse(text).iterate({
    enter({ type, from, to, node }) {
      if (type.isError) throw new Error(`no PromQL at ${from}: ${text}`);
      if (type.name === "Identifier" && node.parent?.name === "VectorSelector") found.push(text.slice(from, to));
    },
  });
  return found;
}

test("An expression is read as PromQL, and one that is none is found out", () => {
  expect(metricsOf('sum by (rpc) (rate(a_total{b="c"}[$__rate_interval])) / d > 0.5')).toEqual(["a_total", "d"]);
  expect(() => metricsOf("sum by (rpc) (rate(a_total[5m])")).toThrow("no PromQL");
});

describe("The documentation", () => {
  /** The first column of the table. */
  const documented = metricsPage
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name));

  test("describes every metric there is, once, and no other", () => {
    expect(documented.toSorted()).toEqual([...scraped.metrics].toSorted());
  });

  test("mentions only metrics there are", () => {
    const mentioned = [...pages.matchAll(/`((?:authorization|process|nodejs)_\w+)`/g)].map(([, name]) => name ?? "");
    expect(mentioned.filter((name) => !names().has(name))).toEqual([]);
  });
});

describe("ops/alerts.yml", () => {
  test.each(rules.map((rule) => [rule.alert, rule] as const))("%s reads metrics there are", (_name, { expr }) => {
    const metrics = metricsOf(expr);
    expect(metrics).not.toEqual([]);
    expect(metrics.filter((name) => !names().has(name))).toEqual([]);
  });

  test.each([
    ["AuthorizationRestarts", "process_start_time_seconds"],
    ["AuthorizationDataVolumeFull", "authorization_data_volume_free_bytes"],
    ["AuthorizationFaults", "authorization_refused_total"],
    ["AuthorizationMemory", "authorization_memory_limit_bytes"],
    ["AuthorizationMemory", "authorization_workers"],
    ["AuthorizationWorkerDeaths", "authorization_worker_deaths_total"],
  ])("%s watches %s", (name, metric) => {
    const rule = rules.find(({ alert }) => alert === name);
    expect(metricsOf(rule?.expr ?? "")).toContain(metric);
  });

  test("what every process of Node exports is read of this service alone", () => {
    for (const { alert, expr } of rules) {
      for (const [, name = "", labels = ""] of expr.matchAll(/\b((?:process|nodejs)_\w+)(\{[^}]*\})?/g))
        expect(labels, `${name} of ${alert}`).toContain('job="authorization"');
    }
  });

  test("every alert has its chapter in docs/how-to/respond-to-alerts.md, which has no other", () => {
    const chapters = [...alertsPage.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(chapters).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations } of rules)
      expect(annotations.runbook_url).toBe(`docs/how-to/respond-to-alerts.md#${anchorOf(alert)}`);
  });

  test("only asks for codes and reasons that can be answered", () => {
    const source = ["src/authorization/refusal.ts", "docs/reference/errors.md"].map(read).join();
    for (const [, values = ""] of rules
      .map(({ expr }) => expr)
      .join("\n")
      .matchAll(/(?:code|reason)=~?"([^"]*)"/g)) {
      for (const value of values.split("|"))
        if (!["ok", "unknown", "data_loss"].includes(value)) expect(source).toContain(value);
    }
  });
});

describe("ops/dashboard.json", () => {
  test.each(queries)("%s", (query) => {
    const metrics = metricsOf(query);
    expect(metrics).not.toEqual([]);
    expect(metrics.filter((name) => !names().has(name))).toEqual([]);
  });

  test("can be imported anywhere: its data source is a variable in every panel and query", () => {
    const sources = [...JSON.stringify(dashboard.panels).matchAll(/"uid":"([^"]*)"/g)].map(([, uid]) => uid);
    expect(sources.filter((uid) => uid !== `\${datasource}`)).toEqual([]);
    expect(sources.length).toBeGreaterThan(queries.length);
    expect(dashboard.templating.list[0]).toMatchObject({ name: "datasource", type: "datasource", query: "prometheus" });
  });

  test("shows every metric of the service itself", () => {
    const shown = new Set(queries.flatMap(metricsOf).map((name) => name.replace(/_(bucket|count|sum)$/, "")));
    const own = scraped.metrics.filter((name) => name.startsWith("authorization_"));
    expect(own.filter((name) => !shown.has(name))).toEqual([]);
  });
});
