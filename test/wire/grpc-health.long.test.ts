import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../gen/grpc/health/v1/health_pb.ts";
import { openReadiness } from "../../src/http/readiness.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { scrape } from "../support/scrape.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { services } from "../support/services.ts";
import { openProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { type ProtocolName, protocolNames, transportOf } from "../support/transports.ts";

let database: TestDatabase;
let proxy: TcpProxy;
let server: TestServer;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await openProxy(database.url);
  server = await startTestServer({ database: { ...database, url: proxy.url }, metrics: true });
});
afterAll(async () => {
  await server.stop();
  await proxy.close();
  await database.drop();
});

afterEach(() => proxy.restore());

const names = services.map(({ typeName }) => typeName);
const others = [
  "grpc.health.v1.Health",
  "grpc.reflection.v1.ServerReflection",
  "grpc.reflection.v1alpha.ServerReflection",
  "zitadel.authorization.v2.AuthorizationService",
];

function healthOf(protocol: ProtocolName = "gRPC", { url } = server) {
  return createClient(Health, transportOf(protocol, url));
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "ok",
    (error) => Code[ConnectError.from(error).code],
  );

describe.each(protocolNames)("Over %s, without credentials,", (protocol) => {
  test.each(["", ...names, ...others])("Check says that %j is serving", async (service) => {
    expect(await healthOf(protocol).check({ service })).toMatchObject({ status: Status.SERVING });
  });

  test("Check knows no other service", async () => {
    expect(await codeOf(healthOf(protocol).check({ service: "nope.Nope" }))).toBe("NotFound");
  });

  test("Check follows Postgres, as /readyz does", async () => {
    await proxy.cut();
    expect(await healthOf(protocol).check({})).toMatchObject({ status: Status.NOT_SERVING });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    await proxy.restore();
    expect(await healthOf(protocol).check({})).toMatchObject({ status: Status.SERVING });
  });

  test("List says the same of every service", async () => {
    const { statuses } = await healthOf(protocol).list({});
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(["", ...names, ...others]));
    expect(new Set(Object.values(statuses).map(({ status }) => status))).toEqual(new Set([Status.SERVING]));
  });
});

test("Postgres is asked by one at a time, however many ask", async () => {
  const answers = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
  let asked = 0;
  const isReady = openReadiness(() => answers[asked++]?.promise ?? Promise.resolve(true), new AbortController().signal);
  const first = Array.from({ length: 200 }, () => isReady());
  expect(asked).toBe(1);
  answers[0]?.resolve(false);
  expect(new Set(await Promise.all(first))).toEqual(new Set([false]));
  const later = isReady();
  answers[1]?.resolve(true);
  expect([await later, asked]).toEqual([true, 2]);
});

test("100 checks may run at once, and the next are refused", async () => {
  await proxy.swallow();
  // One connection has at most 100 streams.
  const clients = [healthOf(), healthOf()];
  const codes = await Promise.all(
    clients.flatMap((client) => Array.from({ length: 60 }, () => codeOf(client.check({})))),
  );
  const count = (code: string) => codes.filter((one) => one === code).length;
  expect([count("ok"), count("ResourceExhausted")]).toEqual([100, 20]);
});

test("Health is answered while the server is too busy for anything else", async () => {
  const busy = await startTestServer({ database, limits: { maximumInFlight: 0 } });
  expect((await busy.call("ListAuthorizations", {})).status).toBe(503);
  expect(await healthOf("gRPC", busy).check({})).toMatchObject({ status: Status.SERVING });
  await busy.stop();
});

test("Watch is not supported", async () => {
  const watched = healthOf().watch({ service: "" })[Symbol.asyncIterator]();
  expect(await codeOf(watched.next())).toBe("Unimplemented");
});

test("It can be switched off", async () => {
  const without = await startTestServer({ database, standardServices: { health: false } });
  expect(await codeOf(healthOf("gRPC", without).check({}))).toBe("Unimplemented");
  await without.stop();
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
