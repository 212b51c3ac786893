import { randomBytes } from "node:crypto";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { readConfig } from "../../src/config/config.ts";
import { openOtlpReceiver, type ReceivedSpan } from "../support/otlp-receiver.ts";
import { clientOf, errorOf, ways } from "../support/protocols.ts";
import { errorInfo, serveSmallWorld, startTestServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

const service = "service.authorization.v2.AuthorizationService";

/** What the environment says, as the server reads it; the exporter reads the process's own. */
function settings(env: Record<string, string>) {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const { traces } = readConfig({ OTEL_BSP_SCHEDULE_DELAY: "10", ...env });
  return traces === undefined ? {} : { traces };
}

const receiver = await openOtlpReceiver();
afterAll(() => receiver.stop());
const { server, root: token } = await serveSmallWorld(
  settings({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }),
);
vi.unstubAllEnvs();
afterEach(() => {
  vi.unstubAllEnvs();
});

/** The span of a caller that wants to be followed, or not. */
function parent(sampled = true) {
  const [traceId, spanId] = [randomBytes(16).toString("hex"), randomBytes(8).toString("hex")];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${sampled ? "01" : "00"}` } };
}

async function traced(
  rpc: string,
  body: object,
  headers: Record<string, string | undefined> = {},
): Promise<ReceivedSpan[]> {
  const caller = parent();
  await server.call(rpc, body, { token, headers: { ...caller.headers, ...headers } });
  return receiver.trace(caller.traceId);
}

/** While a list cannot be read. */
async function withoutNames<T>(work: () => Promise<T>): Promise<T> {
  await server.database.query("alter table users rename column display_name to gone");
  try {
    return await work();
  } finally {
    await server.database.query("alter table users rename column gone to display_name");
  }
}

test("An RPC is a span below the caller's, and each of its statements one below the RPC's", async () => {
  const caller = parent();
  await server.call("ListAuthorizations", { filters: [{ userId: { id: "ann" } }] }, { token, headers: caller.headers });
  const spans = await receiver.trace(caller.traceId);
  const [rpc] = spans.filter(({ kind }) => kind === "SERVER");
  expect(rpc).toMatchObject({
    name: `${service}/ListAuthorizations`,
    parentSpanId: caller.spanId,
    attributes: { "rpc.system.name": "connectrpc", "rpc.method": `${service}/ListAuthorizations` },
    failed: false,
  });
  const statements = spans.filter(({ kind }) => kind === "CLIENT");
  // A slow request asks for its caller twice.
  expect(new Set(statements.map(({ name }) => name))).toEqual(new Set(["find caller by token", "SELECT"]));
  expect(new Set(statements.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([rpc?.spanId]));
  expect(statements[0]?.attributes).toEqual({
    "db.system.name": "postgresql",
    "db.operation.name": "SELECT",
    "db.query.summary": "find caller by token",
  });
});

test("In gRPC and gRPC-Web, a span has the names and statuses that gRPC gives them", async () => {
  for (const way of ways.filter(({ protocol }) => protocol !== "connect")) {
    const client = clientOf(AuthorizationService, way, server.url, token);
    const spanOf = async (call: (headers: { traceparent: string }) => Promise<unknown>) => {
      const caller = parent();
      await call(caller.headers);
      return (await receiver.trace(caller.traceId)).find(({ kind }) => kind === "SERVER");
    };
    const listed = await spanOf((headers) => client.listAuthorizations({}, { headers }));
    const deleted = await spanOf((headers) => errorOf(client.deleteAuthorization({ id: "never" }, { headers })));
    const both = { "rpc.system.name": "grpc" };
    expect(listed).toMatchObject({
      attributes: { ...both, "rpc.method": `${service}/ListAuthorizations`, "rpc.response.status_code": "OK" },
    });
    expect(deleted).toMatchObject({
      attributes: {
        ...both,
        "rpc.response.status_code": "NOT_FOUND",
        "authorization.reason": "AUTHORIZATION_NOT_FOUND",
      },
      failed: false,
    });
  }
});

test("Statements of a transaction are below its span", async () => {
  const items = [["seller"], []].map((roleKeys) => ({ id: "a1", roleKeys }));
  const spans = await traced("BatchUpdateAuthorizations", { items });
  const [rpc] = spans.filter(({ kind }) => kind === "SERVER");
  const [transaction] = spans.filter(({ name }) => name === "transaction");
  expect(transaction).toMatchObject({ kind: "CLIENT", parentSpanId: rpc?.spanId });
  const inside = spans.filter(({ parentSpanId }) => parentSpanId === transaction?.spanId).map(({ name }) => name);
  expect(inside).toEqual(expect.arrayContaining(["lock authorizations", "replace roles"]));
});

test("Requests at once do not get each other's statements", async () => {
  const all = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => traced("ListAuthorizations", {})));
  for (const spans of all) {
    expect(spans.filter(({ kind }) => kind === "SERVER")).toHaveLength(1);
    expect(spans.filter(({ name }) => name === "WITH" || name === "SELECT")).toHaveLength(1);
  }
});

test("No span holds what the caller sent or who it is", async () => {
  await traced("ListAuthorizations", { filters: [{ userDisplayName: { displayName: "hidden-name" } }] });
  await traced("UpdateAuthorization", { id: "hidden-id", roleKeys: ["hidden-key"] });
  const sent = receiver.requests.map(({ body }) => body.toString()).join();
  expect(sent).toContain("UpdateAuthorization");
  for (const secret of ["hidden", token, '"root"']) expect(sent).not.toContain(secret);
});

describe("an answer that is not ok", () => {
  test("has its code and reason, and is no failure when the caller was wrong", async () => {
    const [rpc] = (await traced("UpdateAuthorization", { id: "never" })).filter(({ kind }) => kind === "SERVER");
    expect(rpc).toMatchObject({
      attributes: { "rpc.response.status_code": "not_found", "authorization.reason": "AUTHORIZATION_NOT_FOUND" },
      failed: false,
    });
    expect(rpc?.attributes).not.toHaveProperty("error.type");
  });

  test("is a failure when the server was, and so is the statement", async () => {
    const spans = await withoutNames(() => traced("ListAuthorizations", {}));
    const failed = spans.filter((span) => span.failed).map(({ kind, attributes }) => [kind, attributes["error.type"]]);
    expect(failed.toSorted()).toEqual([
      ["CLIENT", "42703"],
      ["SERVER", "internal"],
    ]);
  });
});

test("Every log line of a traced request has its trace", async () => {
  const from = server.log.length;
  const caller = parent();
  await withoutNames(() => server.call("ListAuthorizations", {}, { token, headers: caller.headers }));
  const lines = server.log.slice(from);
  expect(lines.map(({ msg, traceId }) => [msg, traceId])).toEqual([
    ["unexpected failure", caller.traceId],
    ["answered", caller.traceId],
  ]);
  expect(lines[0]?.requestId).toBe(lines[1]?.requestId);
});

test("A caller that is not followed is not followed here, and a traceparent that is none begins a new trace", async () => {
  const unsampled = parent(false);
  await server.call("ListAuthorizations", {}, { token, headers: unsampled.headers });
  const from = server.log.length;
  await server.call("ListAuthorizations", {}, { token, headers: { traceparent: "00-zz-zz-01" } });
  const [line] = server.log.slice(from);
  // Sent later, so what came before it would have arrived.
  expect((await receiver.trace(String(line?.traceId))).length).toBeGreaterThanOrEqual(2);
  expect(receiver.spans.filter(({ traceId }) => traceId === unsampled.traceId)).toEqual([]);
});

describe("as the environment says", () => {
  async function withServer(env: Record<string, string>, work: (server: TestServer) => Promise<void>): Promise<void> {
    const other = await startTestServer({ database: server.database, ...settings(env) });
    try {
      await work(other);
    } finally {
      await other.stop();
    }
  }

  test("in protobuf, to a path of its own, as a service of another name", async () => {
    const endpoint = `${receiver.url}/elsewhere`;
    await withServer(
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint, OTEL_SERVICE_NAME: "permissions" },
      async (other) => {
        await other.call("ListAuthorizations", {}, { token });
      },
    );
    // Stopping has sent the rest.
    const sent = receiver.requests.filter(({ path }) => path === "/elsewhere");
    expect(new Set(sent.map(({ contentType }) => contentType))).toEqual(new Set(["application/x-protobuf"]));
    const bytes = Buffer.concat(sent.map(({ body }) => body));
    for (const text of [`${service}/ListAuthorizations`, "permissions"]) expect(bytes.includes(text)).toBe(true);
  });

  test.each([
    ["always_off", "1", 0],
    ["traceidratio", "0", 0],
    ["always_on", "0", 1],
  ])("sampled by %s %s", async (OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG, expected) => {
    const caller = parent();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" };
    await withServer({ ...env, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }, async (other) => {
      await other.call("ListAuthorizations", {}, { token, headers: caller.headers });
    });
    // Stopping sends the rest.
    const spans = receiver.spans.filter(({ traceId, kind }) => traceId === caller.traceId && kind === "SERVER");
    expect(spans).toHaveLength(expected);
  });

  test("to a collector that is away: answers stay the same, the log says so, and stopping does not hang", async () => {
    const gone = await openOtlpReceiver();
    await gone.stop();
    await withServer({ OTEL_EXPORTER_OTLP_ENDPOINT: gone.url, OTEL_EXPORTER_OTLP_TIMEOUT: "200" }, async (other) => {
      expect((await other.call("ListAuthorizations", {}, { token })).status).toBe(200);
      expect(errorInfo(await other.call("ListAuthorizations", {}))?.reason).toBe("UNAUTHENTICATED");
      await until("a warning", () => other.log.some(({ msg }) => msg === "traces could not be sent"));
    });
  });
});
