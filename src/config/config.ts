import { resolve } from "node:path";
import type { JwtIssuer } from "../identity/jwt.ts";
import type { RateLimit } from "../limits/rate-limit.ts";
import { samplerNames, type TraceSettings, traceProtocols } from "../observability/trace-settings.ts";
import { readConsole } from "./console.ts";
import { type Readers, readers } from "./readers.ts";

/** Everything the environment decides. docs/reference/configuration.md lists the variables. */
export type Config = Readonly<ReturnType<typeof readConfig>>;

const aliases = {
  zitadel: new Map([
    ["zitadel.authorization.v2.AuthorizationService", "service.authorization.v2.AuthorizationService"],
  ]),
  none: new Map<string, string>(),
};

/** In the current folder. */
export const defaultDataDirectory = resolve(".data");

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** Names every variable that can't be used, and why. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads and checks all variables at once. Throws a ConfigError that names every problem. */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const problems: string[] = [];
  const read = readers(env, problems);
  const jwt = readJwtIssuer(read, problems);
  const requireReason = read.boolean("REQUIRE_REASON", false);
  const maximumTokenSeconds = read.seconds("MAX_TOKEN_LIFETIME", "366d");
  const maximumLimit = read.integer("MAX_LIMIT", 1_000, 1, 100_000);
  const config = {
    host: read.text("HOST", "127.0.0.1"),
    port: read.integer("PORT", 8080, 0, 65_535),
    /** How many processes serve the port. */
    workers: read.workers("WORKERS"),
    /** The URL at which clients reach the server. Undefined: there is no metadata of the AuthZEN Authorization API. */
    publicUrl: read.publicUrl("PUBLIC_URL"),
    /** The type of resources that the AuthZEN Authorization API takes for projects. */
    authzenResourceType: read.text("AUTHZEN_RESOURCE_TYPE", "project"),
    /** Undefined: clients connect without TLS. */
    tls: readTls(read, problems),
    /** Undefined: use the embedded PostgreSQL in dataDirectory. */
    databaseUrl: read.postgresUrl("DATABASE_URL"),
    /** Replicas of that database, for reads. */
    databaseReplicaUrls: readReplicas(read, problems),
    /** Connections to each Postgres. */
    databasePoolSize: read.integer("DATABASE_POOL_SIZE", 10, 1, 1_000),
    /** Whether serving applies missing migrations, or refuses to start when there are any. */
    migrate: read.boolean("MIGRATE", true),
    dataDirectory: resolve(read.text("DATA_DIR", defaultDataDirectory)),
    /** Whether the first start on an empty embedded database loads the demo world. */
    demo: read.boolean("DEMO", true),
    defaultLimit: read.integer("DEFAULT_LIMIT", 100, 1, 100_000),
    maximumLimit,
    defaultTimeoutMs: read.integer("DEFAULT_TIMEOUT_MS", 10_000, 1, 3_600_000),
    maximumTimeoutMs: read.integer("MAX_TIMEOUT_MS", 60_000, 1, 3_600_000),
    maximumRequestBytes: read.integer("MAX_REQUEST_BYTES", 4_194_304, 1, 1_073_741_824),
    /** The longest lifetime of tokens that callers create. The command line has no limit. */
    maximumTokenSeconds,
    maximumConnections: read.integer("MAX_CONNECTIONS", 10_000, 1, 1_000_000),
    /** Addresses and networks whose requests are those of many callers. */
    trustedProxies: read.networks("TRUSTED_PROXIES"),
    maximumInFlight: read.integer("MAX_REQUESTS_IN_FLIGHT", 400, 1, 1_000_000),
    /** Open streams, which don't count as requests in flight, and how long each may last. */
    maximumStreams: read.integer("MAX_STREAMS", 1_000, 1, 1_000_000),
    maximumStreamMs: read.integer("MAX_STREAM_MS", 3_600_000, 1_000, 86_400_000),
    /** How long a request may wait for a connection to Postgres. */
    longestWaitMs: read.integer("QUEUE_TIMEOUT_MS", 2_000, 1, 3_600_000),
    /** Undefined: callers have no rate limit. */
    rateLimit: readRateLimit(read, problems),
    /** On SIGTERM, how long the server still takes connections, and how long requests in flight may take after that. */
    stopDelayMs: read.integer("SHUTDOWN_DELAY_MS", 0, 0, 3_600_000),
    stopGraceMs: read.integer("SHUTDOWN_GRACE_MS", 10_000, 0, 3_600_000),
    /** Whether changes over the network need a reason. */
    requireReason,
    /** Origins of web pages that may call. Only `*` means any; empty means none. */
    corsOrigins: read.origins("CORS_ORIGINS"),
    /** Other names under which services are called, each with the service's own name. */
    serviceAliases: aliases[read.oneOf("SERVICE_ALIASES", "zitadel", ["zitadel", "none"])],
    /** Whether gRPC's health service and its reflection are served. */
    standardServices: { health: read.boolean("GRPC_HEALTH", true), reflection: read.boolean("GRPC_REFLECTION", true) },
    /** Undefined: only personal access tokens are accepted. */
    jwt,
    /** Undefined: the console is not served. */
    console: readConsole(read, problems, jwt, {
      isReasonRequired: requireReason,
      longestTokenSeconds: maximumTokenSeconds,
      mostRows: maximumLimit,
    }),
    logLevel: read.oneOf("LOG_LEVEL", "info", logLevels),
    /** Undefined: no metrics are kept. */
    metrics: readMetrics(read),
    /** Undefined: nothing is traced, and OpenTelemetry is not loaded. */
    traces: readTraces(read),
  };
  const { defaultLimit, defaultTimeoutMs, maximumTimeoutMs, workers, databasePoolSize } = config;
  requireAtMost(["DEFAULT_LIMIT", defaultLimit], ["MAX_LIMIT", maximumLimit], problems);
  requireAtMost(["DEFAULT_TIMEOUT_MS", defaultTimeoutMs], ["MAX_TIMEOUT_MS", maximumTimeoutMs], problems);
  requireAtMost(["WORKERS", workers], ["DATABASE_POOL_SIZE", databasePoolSize], problems);
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  return config;
}

type Setting = readonly [name: string, value: number];

function requireAtMost([name, value]: Setting, [largest, maximum]: Setting, problems: string[]): void {
  if (value > maximum) problems.push(`${name}: must be at most ${largest} (${maximum}), got ${value}`);
}

function readReplicas(read: Readers, problems: string[]): readonly string[] {
  const urls = read.postgresUrls("DATABASE_REPLICA_URLS");
  if (urls.length > 0 && !read.isGiven("DATABASE_URL")) problems.push("DATABASE_REPLICA_URLS: needs DATABASE_URL");
  return urls;
}

function readTls(read: Readers, problems: string[]) {
  const [certFile, keyFile] = [read.text("TLS_CERT_FILE", ""), read.text("TLS_KEY_FILE", "")];
  if (certFile !== "" && keyFile === "") problems.push("TLS_CERT_FILE: needs TLS_KEY_FILE");
  if (keyFile !== "" && certFile === "") problems.push("TLS_KEY_FILE: needs TLS_CERT_FILE");
  return certFile === "" ? undefined : { certFile, keyFile };
}

function readRateLimit(read: Readers, problems: string[]): RateLimit | undefined {
  const requests = read.integer("RATE_LIMIT", 0, 1, 1_000_000_000);
  const periodMs = read.integer("RATE_LIMIT_PERIOD_MS", 1_000, 100, 86_400_000);
  if (read.isGiven("RATE_LIMIT_PERIOD_MS") && !read.isGiven("RATE_LIMIT")) {
    problems.push("RATE_LIMIT_PERIOD_MS: needs RATE_LIMIT");
  }
  return requests === 0 ? undefined : { requests, periodMs };
}

function readJwtIssuer(read: Readers, problems: string[]): JwtIssuer | undefined {
  const issuer = read.issuer("JWT_ISSUER");
  const audience = read.text("JWT_AUDIENCE", "");
  const jwksUrl = read.keyUrl("JWT_JWKS_URL");
  if (read.isGiven("JWT_ISSUER") && audience === "") problems.push("JWT_ISSUER: needs JWT_AUDIENCE");
  const requireAtJwt = read.boolean("JWT_REQUIRE_AT_JWT", false);
  const userClaim = read.text("JWT_USER_CLAIM", "sub");
  for (const name of ["JWT_AUDIENCE", "JWT_JWKS_URL", "JWT_REQUIRE_AT_JWT", "JWT_USER_CLAIM"]) {
    if (read.isGiven(name) && !read.isGiven("JWT_ISSUER")) problems.push(`${name}: needs JWT_ISSUER`);
  }
  return issuer === undefined ? undefined : { issuer, audience, jwksUrl, requireAtJwt, userClaim };
}

function readMetrics(read: Readers) {
  const host = read.text("METRICS_HOST", "127.0.0.1");
  const port = read.integer("METRICS_PORT", 0, 0, 65_535);
  return read.isGiven("METRICS_PORT") ? { host, port } : undefined;
}

/**
 * OpenTelemetry's standard variables for traces. Its exporter reads the endpoint, headers, timeout and compression
 * itself, and its resource the name of the service. Here they are only checked.
 */
function readTraces(read: Readers): TraceSettings | undefined {
  const endpoints = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"].map(read.httpUrl);
  const exporter = read.oneOf("OTEL_TRACES_EXPORTER", endpoints.some(Boolean) ? "otlp" : "none", ["otlp", "none"]);
  const general = read.oneOf("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf", traceProtocols);
  const isDisabled = read.boolean("OTEL_SDK_DISABLED", false);
  const sampler = read.oneOf("OTEL_TRACES_SAMPLER", "parentbased_always_on", samplerNames);
  const settings: TraceSettings = {
    protocol: read.oneOf("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", general, traceProtocols),
    sampler,
    sampledPart: sampler.endsWith("traceidratio") ? read.part("OTEL_TRACES_SAMPLER_ARG", 1) : 1,
    everyMs: read.integer("OTEL_BSP_SCHEDULE_DELAY", 5_000, 1, 3_600_000),
  };
  return exporter === "none" || isDisabled ? undefined : settings;
}
