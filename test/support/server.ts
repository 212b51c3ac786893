import { pino } from "pino";
import { afterAll, expect, onTestFinished } from "vitest";
import { startObserving } from "../../src/commands/observe.ts";
import { openReplicas } from "../../src/commands/service.ts";
import { readConfig } from "../../src/config/config.ts";
import type { Tls } from "../../src/config/tls.ts";
import type { ConsoleFiles } from "../../src/console/console-files.ts";
import { stopServing } from "../../src/http/stop-serving.ts";
import type { VerifyJwt } from "../../src/identity/jwt.ts";
import { openTokenUses } from "../../src/identity/token-uses.ts";
import type { WorkerCounts } from "../../src/observability/gauges.ts";
import { logOptions } from "../../src/observability/log.ts";
import type { TraceSettings } from "../../src/observability/trace-settings.ts";
import { settleAll } from "../../src/postgres/change/settle.ts";
import { readGaugeValues } from "../../src/postgres/check/gauge-values.ts";
import { isCurrent } from "../../src/postgres/migrations/migrations.ts";
import { openDatabase } from "../../src/postgres/pool/database.ts";
import { postgresStores } from "../../src/postgres/stores.ts";
import { recordTokenUses } from "../../src/postgres/token/token-uses.ts";
import type { StandardOptions } from "../../src/rpc/services/standard-services.ts";
import { buildServer, type ServerOptions } from "../../src/server.ts";
import { createSmallWorld, createTestDatabase, type TestDatabase } from "./database.ts";
import { until } from "./until.ts";

/** What came back over HTTP: the status, the headers, and the body as JSON. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: any };

type Body = object | string | Uint8Array;
type CallOptions = {
  readonly token?: string;
  /** Added to, or with undefined taken from, what every call sends. */
  readonly headers?: Record<string, string | undefined>;
};

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

export const testLimits: ServerOptions["limits"] = {
  defaultLimit: 100,
  maximumLimit: 1_000,
  defaultTimeoutMs: 10_000,
  maximumTimeoutMs: 60_000,
  maximumRequestBytes: 4_194_304,
  maximumTokenSeconds: 366 * 86_400,
  maximumConnections: 10_000,
  maximumInFlight: 1_000,
  maximumStreams: 1_000,
  maximumStreamMs: 3_600_000,
};

/** The service on a real port of this machine and a real database of its own. */
export async function startTestServer(
  options: {
    limits?: Partial<ServerOptions["limits"]>;
    corsOrigins?: string[];
    mustHaveReasons?: boolean;
    publicUrl?: string;
    authzenResourceType?: string;
    poolSize?: number;
    database?: TestDatabase;
    /** The URLs of replicas of that database. */
    replicaUrls?: string[];
    /** Whether its own database begins with the small world. */
    smallWorld?: boolean;
    verifyJwt?: VerifyJwt;
    standardServices?: Partial<StandardOptions>;
    /** Without them no console is served. */
    consoleFiles?: ConsoleFiles | undefined;
    metrics?: boolean;
    /** As if it were one of several workers, for what the metrics say of them. */
    workers?: WorkerCounts;
    /** Whose volume the metrics describe. */
    dataDirectory?: string;
    traces?: TraceSettings;
    /** Without it, clients connect without TLS. */
    tls?: Tls;
  } = {},
) {
  const testDatabase = options.database ?? (await (options.smallWorld ? createSmallWorld() : createTestDatabase()));
  const stopping = new AbortController();
  const cutOff = new AbortController();
  const lines: Record<string, unknown>[] = [];
  const log = pino(logOptions("trace"), { write: (line: string) => void lines.push(JSON.parse(line)) });
  const observing = await startObserving(
    { metrics: options.metrics ? { host: "127.0.0.1", port: 0 } : undefined, traces: options.traces },
    log,
  );
  const poolSize = options.poolSize ?? 5;
  const connections = {
    connection: { connectionString: testDatabase.url },
    poolSize,
    statementTimeoutMs: 65_000,
    onIdleError: () => {},
  };
  const requests = openDatabase(connections);
  const replicated = openReplicas({ databaseReplicaUrls: options.replicaUrls ?? [] }, requests, connections, log);
  const database = observing.watch(replicated ?? requests);
  const probing = openDatabase({ ...connections, poolSize: 1 });
  const tokenUses = openTokenUses(recordTokenUses(database));
  const app = await buildServer({
    stores: postgresStores(database, observing.watch(requests)),
    tokenUses,
    verifyJwt: options.verifyJwt,
    limits: { ...testLimits, ...options.limits },
    mustHaveReasons: options.mustHaveReasons,
    publicUrl: options.publicUrl,
    authzenResourceType: options.authzenResourceType,
    corsOrigins: options.corsOrigins ?? [],
    serviceAliases: readConfig({}).serviceAliases,
    standardServices: { health: true, reflection: true, ...options.standardServices },
    consoleFiles: options.consoleFiles,
    tls: options.tls,
    log,
    observer: observing.observer,
    isReady: () => isCurrent(requests, AbortSignal.timeout(2_000)),
    stopping: stopping.signal,
    cutOff: cutOff.signal,
  });
  const metricsUrl = await observing.expose({
    pool: { size: poolSize, load: requests.load },
    replicas: replicated,
    values: () => readGaugeValues(probing, AbortSignal.timeout(2_000)),
    lostLines: () => 0,
    workers: options.workers,
    dataDirectory: options.dataDirectory,
  });
  const listening = await app.listen({ host: "127.0.0.1", port: 0 });
  const url = options.tls === undefined ? listening : listening.replace("http:", "https:");

  async function post(path: string, request: Body, { token, headers }: CallOptions = {}): Promise<Answer> {
    const all: Record<string, string | undefined> = {
      "content-type": "application/json",
      // Packing and unpacking took a quarter of the time of a call.
      "accept-encoding": "identity",
      "connect-protocol-version": "1",
      authorization: token === undefined ? undefined : `Bearer ${token}`,
      ...headers,
    };
    const response = await fetch(`${url}/${path}`, {
      method: "POST",
      headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
      body: typeof request === "string" || request instanceof Uint8Array ? request : JSON.stringify(request),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
  }

  return {
    url,
    database: testDatabase,
    /** What the service logged so far, one object a line. */
    log: lines as readonly Record<string, unknown>[],
    /** Where its metrics are, if it keeps any. */
    metricsUrl,
    /** Calls an RPC of AuthorizationService, given as an object or as the exact text or bytes of the body. */
    call: (rpc: string, request: Body, options?: CallOptions) =>
      post(`service.authorization.v2.AuthorizationService/${rpc}`, request, options),
    /** Calls an RPC of DirectoryService in the same way. */
    callDirectory: (rpc: string, request: Body, options?: CallOptions) =>
      post(`service.directory.v1.DirectoryService/${rpc}`, request, options),
    /** Calls any RPC in the same way: `authorization.v2.OverviewService/GetOverview`. */
    callService: (path: string, request: Body, options?: CallOptions) => post(`service.${path}`, request, options),
    /** How many clients are connected. */
    openConnections: () =>
      new Promise<number>((resolve, reject) =>
        app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
      ),
    /** Resolves as soon as it takes no new connections. */
    untilRefusing: () =>
      until("no new connections", async () => (await fetch(`${url}/healthz`).catch(() => undefined)) === undefined),
    /** Stores the last uses of tokens now, instead of every minute. */
    storeTokenUses: () => tokenUses.flush(AbortSignal.timeout(5_000)),
    /** Writes the ends of assignments that have passed now, which is not done regularly here. */
    settleEnds: () => settleAll(requests, AbortSignal.timeout(60_000)),
    async stop({ gently = false, stopGraceMs = 60_000 } = {}) {
      stopping.abort();
      // As serve does it; other tests need not wait for their clients to leave.
      await (gently ? stopServing(app, { stopDelayMs: 0, stopGraceMs }, cutOff) : app.close());
      await Promise.all([database.close(), probing.close()]);
      await observing.stop();
      if (options.database === undefined) await testDatabase.drop();
    },
  };
}

/** The same for all tests of a file. It stops after them. */
export async function serveTests(options: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  afterAll(() => server.stop());
  return server;
}

/** The same on the small world, with a token of root, who may do everything. */
export async function serveSmallWorld(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await serveTests({ smallWorld: true, ...options });
  return { server, root: await server.database.token("root") };
}

/** The same for one test, with which it stops. */
export async function serverInTest(options: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  onTestFinished(() => server.stop());
  return server;
}

/** The body of an answer that must be no refusal. */
export async function bodyOf(answer: Promise<Answer>): Promise<any> {
  const { status, body } = await answer;
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

/** The google.rpc.ErrorInfo of an error answer. */
export function errorInfo(
  answer: Answer,
): { reason: string; domain: string; metadata: Record<string, string> } | undefined {
  return answer.body?.details?.find((detail: any) => detail.type === "google.rpc.ErrorInfo")?.debug;
}
