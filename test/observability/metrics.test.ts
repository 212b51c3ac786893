import { rm, statfs } from "node:fs/promises";
import { totalmem } from "node:os";
import { describe, expect, test } from "vitest";
import { folderOfTests } from "../support/folders.ts";
import { hold } from "../support/locks.ts";
import { request, sendRaw } from "../support/raw-http.ts";
import { type Scrape, scrape } from "../support/scrape.ts";
import { serverInTest, serveTests } from "../support/server.ts";
import { proxyOfTests } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";

const service = "service.authorization.v2.AuthorizationService";

const server = await serveTests({ smallWorld: true, metrics: true, poolSize: 2 });
const [token, annsToken] = [await server.database.token("root"), await server.database.token("ann")];

const proxy = await proxyOfTests(server.database.url);
const folder = await folderOfTests("volume");

const look = () => scrape(server.metricsUrl);

/** How much each series rose by while something was done; those that did not are left out. */
async function rise(prefix: string, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = (await look()).values;
  await work();
  const rows = [...(await look()).values]
    .filter(([series]) => series.startsWith(prefix))
    .map(([series, value]) => [series, value - (before.get(series) ?? 0)] as const);
  return Object.fromEntries(rows.filter(([, difference]) => difference !== 0));
}

test("The available memory is shown beside the used memory", async () => {
  const { values } = await look();
  const limit = values.get("authorization_memory_limit_bytes") ?? 0;
  expect(limit).toBeGreaterThan(values.get("process_resident_memory_bytes") ?? 0);
  expect(limit).toBeLessThanOrEqual(totalmem());
});

test("The version is shown", async () => {
  const { values } = await look();
  expect(values.get('authorization_build_info{version="0.2.0"}')).toBe(1);
});

test("Answers are counted and timed by RPC, protocol and code", async () => {
  const timed = "authorization_request_duration_seconds";
  const rises = await rise(timed, async () => {
    await server.call("ListAuthorizations", {}, { token });
    await server.call("ListAuthorizations", {}, { token });
    await server.call("UpdateAuthorization", { id: "never", roleKeys: [] }, { token });
  });
  expect(rises).toMatchObject({
    [`${timed}_count{rpc="${service}/ListAuthorizations",protocol="connect",code="ok"}`]: 2,
    [`${timed}_bucket{le="+Inf",rpc="${service}/ListAuthorizations",protocol="connect",code="ok"}`]: 2,
    [`${timed}_count{rpc="${service}/UpdateAuthorization",protocol="connect",code="not_found"}`]: 1,
  });
  expect(rises[`${timed}_sum{rpc="${service}/ListAuthorizations",protocol="connect",code="ok"}`]).toBeGreaterThan(0);
});

test("Whatever is not ok is counted by its reason, and all that is no RPC shares one label", async () => {
  const rises = await rise("authorization_refused_total", async () => {
    await server.call("UpdateAuthorization", { id: "never", roleKeys: [] }, { token });
    await server.call("ListAuthorizations", {});
    await server.call("ListAuthorizations", "{", { token });
    for (const path of ["Some", "Other", "Third"]) await server.call(path, {}, { token });
    await sendRaw(server.url, request("POST /%zz HTTP/1.1", { host: "x" }));
    await sendRaw(server.url, request("POST /healthz HTTP/1.1", { host: "x" }));
    await sendRaw(server.url, "SAY something\r\n\r\n");
  });
  const series = (rpc: string, code: string, reason: string, protocol = "connect") =>
    `authorization_refused_total{rpc="${rpc}",protocol="${protocol}",code="${code}",reason="${reason}"}`;
  expect(rises).toEqual({
    [series(`${service}/UpdateAuthorization`, "not_found", "AUTHORIZATION_NOT_FOUND")]: 1,
    [series(`${service}/ListAuthorizations`, "unauthenticated", "UNAUTHENTICATED")]: 1,
    [series(`${service}/ListAuthorizations`, "invalid_argument", "none")]: 1,
    [series("none", "unimplemented", "none")]: 5,
    [series("none", "invalid_argument", "UNREADABLE", "none")]: 1,
  });
});

test("Requests in flight, connections and those that wait for one are what they are at the moment", async () => {
  const now = ({ values }: Scrape) =>
    ["requests_in_flight", "pool_size", "pool_connections", "pool_idle", "pool_waiting"].map((name) =>
      values.get(`authorization_${name}`),
    );
  const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
  const callers = [token, annsToken, token, annsToken, token];
  const calls = callers.map((who) => server.call("ListAuthorizations", {}, { token: who }));
  await lock.untilWaiting(2);
  const busy = await until("three to wait", async () => {
    const seen = now(await look());
    return seen[4] === 3 && seen;
  });
  await lock.rollback();
  await Promise.all(calls);
  expect(busy).toEqual([5, 2, 2, 0, 3]);
  expect(now(await look())).toEqual([0, 2, 2, 2, 0]);
});

test("A client that goes away, a deadline and a fault leave nothing in flight", async () => {
  await server.call("ListAuthorizations", {}, { token, headers: { "connect-timeout-ms": "0" } });
  await server.database.query("alter table users rename column display_name to gone");
  await server.call("ListAuthorizations", {}, { token });
  await server.database.query("alter table users rename column gone to display_name");
  const leaving = new AbortController();
  const left = fetch(`${server.url}/${service}/ListAuthorizations`, {
    method: "POST",
    headers: { "content-type": "application/json", "content-length": "100" },
    body: "{}",
    signal: leaving.signal,
  }).catch(() => {});
  leaving.abort();
  await left;
  await until("none in flight", async () => (await look()).values.get("authorization_requests_in_flight") === 0);
});

test("Events are counted over all servers, and authorizations by state", async () => {
  const figures = ({ values }: Scrape) => [
    values.get("authorization_events_total"),
    values.get('authorization_authorizations{state="active"}'),
    values.get('authorization_authorizations{state="inactive"}'),
  ];
  const [[events], [active, inactive]] = await Promise.all([
    server.database.query<{ count: string }>("select count(*) from events"),
    server.database.query<{ count: number }>(
      "select count(*)::integer from authorizations group by state order by state",
    ),
  ]);
  expect(figures(await look())).toEqual([Number(events?.count), active?.count, inactive?.count]);
  const other = await serverInTest({ database: server.database });
  await other.call("DeactivateAuthorization", { id: "a1" }, { token });
  expect(figures(await look())).toEqual([
    Number(events?.count) + 1,
    (active?.count ?? 0) - 1,
    (inactive?.count ?? 0) + 1,
  ]);
  await other.call("ActivateAuthorization", { id: "a1" }, { token });
});

test("Statements are timed by their names, those that are put together under one, and transactions as a whole", async () => {
  const counted = "authorization_statement_duration_seconds_count";
  const rises = await rise(counted, async () => {
    await server.call("ListAuthorizations", {}, { token: await server.database.token("root") });
    const items = [{ id: "never" }, { id: "never" }];
    await server.call("BatchDeleteAuthorizations", { items, atomic: true }, { token });
  });
  expect(rises).toMatchObject({
    [`${counted}{statement="find caller by token",outcome="ok"}`]: 1,
    [`${counted}{statement="composed",outcome="ok"}`]: expect.any(Number),
    [`${counted}{statement="transaction",outcome="failed"}`]: 1,
  });
});

test("No label holds what callers send, and there are as many series after as before many different requests", async () => {
  const vary = async (from: number) => {
    for (let number = from; number < from + 30; number += 1) {
      await server.call(`Path${number}`, {}, { token });
      await server.call("DeleteAuthorization", { id: `id-${number}` }, { token });
      await server.call("ListAuthorizations", { filters: [{ userId: { id: `id-${number}` } }] }, { token });
    }
  };
  await vary(0);
  const before = await look();
  await vary(100);
  const after = await look();
  const own = ({ values }: Scrape) => [...values.keys()].filter((series) => series.startsWith("authorization_"));
  expect(own(after)).toEqual(own(before));
  expect(own(after).join()).not.toMatch(/id-|Path\d|root/);
});

describe("the listener", () => {
  test.each([
    ["GET", "/metrics", 200],
    ["HEAD", "/metrics", 200],
    ["GET", "/metrics?x=1", 200],
    ["POST", "/metrics", 404],
    ["GET", "/", 404],
    ["GET", "/metrics/", 404],
    ["POST", `/${service}/ListAuthorizations`, 404],
  ])("answers %s %s with %i", async (method, path, status) => {
    const response = await fetch(new URL(path, server.metricsUrl), { method });
    await response.arrayBuffer();
    expect(response.status).toBe(status);
  });

  test("is another one than that of callers, and there is none unless it is asked for", async () => {
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    const without = await serverInTest({ database: server.database });
    expect(without.metricsUrl).toBeUndefined();
  });
});

test("While Postgres is away the metrics say so, with everything that is known without it", async () => {
  const behind = await serverInTest({ metrics: true, database: { ...server.database, url: proxy.url } });
  expect((await scrape(behind.metricsUrl)).values.get("authorization_database_up")).toBe(1);
  await proxy.cut();
  const { values } = await scrape(behind.metricsUrl);
  expect(values.get("authorization_database_up")).toBe(0);
  expect([...values.keys()].filter((series) => /events_total|authorization_authorizations/.test(series))).toEqual([]);
  expect(values.get("authorization_requests_in_flight")).toBe(0);
  await proxy.restore();
  expect((await scrape(behind.metricsUrl)).values.get("authorization_database_up")).toBe(1);
});

describe("The volume of DATA_DIR", () => {
  const volumeOf = ({ values }: Scrape) =>
    ["free", "size"].map((name) => values.get(`authorization_data_volume_${name}_bytes`));

  test("is described as the system does, and left out while it cannot be read", async () => {
    const embedded = await serverInTest({ metrics: true, database: server.database, dataDirectory: folder });
    const { bsize, blocks } = await statfs(folder);
    const [free = 0, size] = volumeOf(await scrape(embedded.metricsUrl));
    expect(size).toBe(blocks * bsize);
    expect(free).toBeGreaterThan(0);
    expect(free).toBeLessThan(blocks * bsize);
    await rm(folder, { recursive: true });
    expect(volumeOf(await scrape(embedded.metricsUrl))).toEqual([undefined, undefined]);
  });

  test("is nothing that a server on another Postgres knows of", async () => {
    const { metrics } = await look();
    expect(metrics.filter((name) => name.includes("volume"))).toEqual([]);
  });
});

test("The start of the process is the same at every scrape, or it would look like a restart", async () => {
  const start = async () => (await look()).values.get("process_start_time_seconds");
  const first = await start();
  expect(first).toBeCloseTo(Date.now() / 1000 - process.uptime(), -1);
  expect(await start()).toBe(first);
});
