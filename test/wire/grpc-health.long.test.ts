import { afterEach, describe, expect, test } from "vitest";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../gen/grpc/health/v1/health_pb.ts";
import { openReadiness } from "../../src/http/readiness.ts";
import { databaseOfTests } from "../support/database.ts";
import { clientOf, codeOf, grpc, overHttp2 } from "../support/protocols.ts";
import { scrape } from "../support/scrape.ts";
import { serverInTest, serveTests, startTestServer } from "../support/server.ts";
import { services } from "../support/services.ts";
import { proxyOfTests } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";

const database = await databaseOfTests();
const proxy = await proxyOfTests(database.url);
const server = await serveTests({ database: { ...database, url: proxy.url }, metrics: true });

afterEach(() => proxy.restore());

const names = services.map(({ typeName }) => typeName);
const others = [
  "grpc.health.v1.Health",
  "grpc.reflection.v1.ServerReflection",
  "grpc.reflection.v1alpha.ServerReflection",
  "zitadel.authorization.v2.AuthorizationService",
];

const healthOf = (way = grpc, { url } = server) => clientOf(Health, way, url, undefined);

/** The statuses that a watch is told, one after the other. */
function watching(service = "", client = healthOf(), options = {}) {
  const statuses = client.watch({ service }, options)[Symbol.asyncIterator]();
  return async () => (await statuses.next()).value?.status;
}

async function openCalls(rpc: string, { metricsUrl } = server): Promise<number | undefined> {
  const { values } = await scrape(metricsUrl);
  return values.get(`authorization_open_calls{rpc="grpc.health.v1.Health/${rpc}"}`);
}

describe.each(overHttp2)("$name, without credentials,", (way) => {
  test.each(["", ...names, ...others])("Check says that %j is serving", async (service) => {
    expect(await healthOf(way).check({ service })).toMatchObject({ status: Status.SERVING });
  });

  test("Check knows no other service", async () => {
    expect(await codeOf(healthOf(way).check({ service: "nope.Nope" }))).toBe("NotFound");
  });

  test("List says the same of every service", async () => {
    const { statuses } = await healthOf(way).list({});
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(["", ...names, ...others]));
    expect(new Set(Object.values(statuses).map(({ status }) => status))).toEqual(new Set([Status.SERVING]));
  });

  test("Watch tells each change, as /readyz does, and nothing else", async () => {
    const all = watching("", healthOf(way));
    const one = watching(names[0], healthOf(way));
    expect([await all(), await one()]).toEqual([Status.SERVING, Status.SERVING]);
    await proxy.cut();
    expect([await all(), await one()]).toEqual([Status.NOT_SERVING, Status.NOT_SERVING]);
    expect(await healthOf(way).check({})).toMatchObject({ status: Status.NOT_SERVING });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    await proxy.restore();
    expect([await all(), await one()]).toEqual([Status.SERVING, Status.SERVING]);
  });

  test("Watch says once that a service is unknown, and goes on", async () => {
    const status = watching("nope.Nope", healthOf(way), { timeoutMs: 1_500 });
    expect(await status()).toBe(Status.SERVICE_UNKNOWN);
    expect(await codeOf(status())).toBe("DeadlineExceeded");
  });
});

test("Postgres is asked at most once a second, however many watch", async () => {
  let asked = 0;
  const stopping = new AbortController();
  const started = performance.now();
  const readiness = openReadiness(async () => ++asked % 2 === 1, stopping.signal);
  const watch = async () => {
    const seen: boolean[] = [];
    const { signal } = new AbortController();
    for await (const ready of readiness.everySecond(signal)) if (seen.push(ready) === 3) return seen;
    return seen;
  };
  const all = await Promise.all(Array.from({ length: 200 }, watch));
  const seconds = (performance.now() - started) / 1_000;
  expect(all.every((seen) => seen.length === 3)).toBe(true);
  expect(asked).toBeGreaterThanOrEqual(3);
  expect(asked).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
});

test("Health is answered while the server is too busy for anything else", async () => {
  const busy = await serverInTest({ database, limits: { maximumInFlight: 0 } });
  expect((await busy.call("ListAuthorizations", {})).status).toBe(503);
  expect(await healthOf(grpc, busy).check({})).toMatchObject({ status: Status.SERVING });
});

test("250 watches of one address may be open at once, the next is refused, and there is room again when one has ended", async () => {
  const own = await serverInTest({ database, metrics: true });
  const client = () => healthOf(grpc, own);
  const open = Array.from({ length: 5 }, client).flatMap((watcher) =>
    Array.from({ length: 50 }, () => {
      const over = new AbortController();
      return { status: watching("", watcher, { signal: over.signal }), over };
    }),
  );
  // On a busy machine, the server may not be ready.
  expect(await Promise.all(open.map(({ status }) => status()))).not.toContain(undefined);
  expect(await codeOf(watching("", client())())).toBe("Unavailable");
  expect(await codeOf(client().check({}))).toBe("ok");
  open[0]?.over.abort();
  const another = client();
  const last = new AbortController();
  await until("room", async () => (await codeOf(watching("", another, { signal: last.signal })())) === "ok");
  for (const { over } of [...open, { over: last }]) over.abort();
  await until("all to be forgotten", async () => (await openCalls("Watch", own)) === 0);
});

test("When the server stops, a watch is told so and ends, and holds nothing up", async () => {
  const stopped = await startTestServer({ database });
  const status = watching("", healthOf(grpc, stopped));
  expect(await status()).toBe(Status.SERVING);
  const began = performance.now();
  const stop = stopped.stop({ gently: true });
  expect(await status()).toBe(Status.NOT_SERVING);
  expect(await status()).toBeUndefined();
  await stop;
  // The grace period of this server is a minute.
  expect(performance.now() - began).toBeLessThan(30_000);
});

test("It can be switched off", async () => {
  const without = await serverInTest({ database, standardServices: { health: false } });
  expect(await codeOf(healthOf(grpc, without).check({}))).toBe("Unimplemented");
});

test("Calls are logged only when they are refused, and counted apart from others", async () => {
  const first = server.log.length;
  await healthOf().check({});
  await codeOf(healthOf().check({ service: "nope.Nope" }));
  const rpc = "grpc.health.v1.Health/Check";
  const lines = server.log.slice(first).filter((line) => line.rpc === rpc && Number(line.level) >= 30);
  expect(lines).toEqual([expect.objectContaining({ code: "not_found", protocol: "grpc", msg: "refused" })]);
  const { values } = await scrape(server.metricsUrl);
  expect([...values.keys()].filter((name) => name.includes("request_duration") && name.includes("grpc"))).toEqual([]);
  expect(
    values.get(`authorization_refused_total{rpc="${rpc}",protocol="grpc",code="not_found",reason="none"}`),
  ).toBeGreaterThan(0);
});
