import { availableParallelism } from "node:os";
import { describe, expect, test } from "vitest";
import { readConfig } from "../src/config/config.ts";
import { problemsOf } from "./support/settings.ts";

/** What OpenID Connect for the console needs. */
const oidc = { OIDC_CLIENT_ID: "console", JWT_ISSUER: "https://issuer.example", JWT_AUDIENCE: "us" };

const databaseUrl = "postgresql://me:secret@db.example:5433/authorizations?sslmode=require";
const replicas = ["postgres://me:a,b@one.example/authorizations", "postgres:///authorizations?host=/two"];
const tenant = "https://issuer.example/tenant/";
const audience = "https://authorization.example";
const jwksUrl = "https://keys.example/keys?of=tenant";
const pictures = ["https://pictures.example", "http://127.0.0.1:9000"];

/** Every setting with a value, and what comes of it when all have these. */
const settings: [name: string, value: string, expected: object][] = [
  ["HOST", "::1", { host: "::1" }],
  ["PORT", "0", { port: 0 }],
  ["WORKERS", "3", { workers: 3 }],
  ["PUBLIC_URL", "https://pdp.example/eu", { publicUrl: "https://pdp.example/eu" }],
  ["AUTHZEN_RESOURCE_TYPE", "record", { authzenResourceType: "record" }],
  ["TLS_CERT_FILE", "/tls/tls.crt", { tls: { certFile: "/tls/tls.crt" } }],
  ["TLS_KEY_FILE", "/tls/tls.key", { tls: { keyFile: "/tls/tls.key" } }],
  ["DATABASE_URL", databaseUrl, { databaseUrl }],
  ["DATABASE_REPLICA_URLS", replicas.join(" "), { databaseReplicaUrls: replicas }],
  ["DATABASE_POOL_SIZE", "25", { databasePoolSize: 25 }],
  ["MIGRATE", "false", { migrate: false }],
  ["DATA_DIR", "/var/lib/authorization", { dataDirectory: "/var/lib/authorization" }],
  ["DEMO", "false", { demo: false }],
  ["DEFAULT_LIMIT", "10", { defaultLimit: 10 }],
  ["MAX_LIMIT", "20", { maximumLimit: 20, console: { mostRows: 20 } }],
  ["DEFAULT_TIMEOUT_MS", "1000", { defaultTimeoutMs: 1_000 }],
  ["MAX_TIMEOUT_MS", "2000", { maximumTimeoutMs: 2_000 }],
  ["MAX_REQUEST_BYTES", "1000000", { maximumRequestBytes: 1_000_000 }],
  ["MAX_TOKEN_LIFETIME", "12h", { maximumTokenSeconds: 43_200, console: { longestTokenSeconds: 43_200 } }],
  ["MAX_CONNECTIONS", "300", { maximumConnections: 300 }],
  [
    "TRUSTED_PROXIES",
    "10.0.0.0/8, ::1",
    { trustedProxies: { rules: ["Subnet: IPv6 ::1/128", "Subnet: IPv4 10.0.0.0/8"] } },
  ],
  ["MAX_REQUESTS_IN_FLIGHT", "200", { maximumInFlight: 200, maximumStreams: 1_000, maximumStreamMs: 3_600_000 }],
  ["QUEUE_TIMEOUT_MS", "500", { longestWaitMs: 500 }],
  ["RATE_LIMIT", "50", { rateLimit: { requests: 50 } }],
  ["RATE_LIMIT_PERIOD_MS", "10000", { rateLimit: { periodMs: 10_000 } }],
  ["SHUTDOWN_DELAY_MS", "3000", { stopDelayMs: 3_000 }],
  ["SHUTDOWN_GRACE_MS", "20000", { stopGraceMs: 20_000 }],
  ["REQUIRE_REASON", "true", { requireReason: true, console: { isReasonRequired: true } }],
  [
    "CORS_ORIGINS",
    "https://a.example, http://localhost:3000",
    { corsOrigins: ["https://a.example", "http://localhost:3000"] },
  ],
  ["SERVICE_ALIASES", "none", { serviceAliases: new Map() }],
  ["GRPC_HEALTH", "false", { standardServices: { health: false } }],
  ["GRPC_REFLECTION", "false", { standardServices: { reflection: false } }],
  ["JWT_ISSUER", tenant, { jwt: { issuer: tenant }, console: { oidc: { issuer: tenant } } }],
  ["JWT_AUDIENCE", audience, { jwt: { audience }, console: { oidc: { audience } } }],
  ["JWT_JWKS_URL", jwksUrl, { jwt: { jwksUrl } }],
  ["JWT_REQUIRE_AT_JWT", "true", { jwt: { requireAtJwt: true } }],
  ["JWT_USER_CLAIM", "oid", { jwt: { userClaim: "oid" } }],
  ["CONSOLE", "true", { console: expect.anything() }],
  ["CONSOLE_TITLE", "Access at Acme", { console: { title: "Access at Acme" } }],
  ["AVATAR_ORIGINS", pictures.join(", "), { console: { avatarOrigins: pictures } }],
  ["OIDC_CLIENT_ID", "the console", { console: { oidc: { clientId: "the console" } } }],
  ["OIDC_SCOPES", "openid  profile urn:x:read", { console: { oidc: { scopes: "openid profile urn:x:read" } } }],
  ["LOG_LEVEL", "silent", { logLevel: "silent" }],
  ["METRICS_HOST", "::", { metrics: { host: "::" } }],
  ["METRICS_PORT", "9464", { metrics: { port: 9464 } }],
  ["OTEL_TRACES_EXPORTER", "otlp", { traces: expect.anything() }],
  ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/json", { traces: { protocol: "http/json" } }],
  ["OTEL_TRACES_SAMPLER", "parentbased_traceidratio", { traces: { sampler: "parentbased_traceidratio" } }],
  ["OTEL_TRACES_SAMPLER_ARG", "0.25", { traces: { sampledPart: 0.25 } }],
  ["OTEL_BSP_SCHEDULE_DELAY", "1000", { traces: { everyMs: 1_000 } }],
];

test.each(settings)("%s is read", (_name, _value, expected) => {
  expect(readConfig(Object.fromEntries(settings))).toMatchObject(expected);
});

test("a socket folder is a database too, and any origin may be allowed", () => {
  const databaseUrl = "postgresql:///authorizations?host=%2Frun%2Fpostgresql";
  expect(readConfig({ DATABASE_URL: databaseUrl, CORS_ORIGINS: "*" })).toMatchObject({
    databaseUrl,
    corsOrigins: ["*"],
  });
});

test.each([
  ["postgres://a/x,postgres://b/x", ["postgres://a/x", "postgres://b/x"]],
  [" postgres://a/x, postgresql://b/x ", ["postgres://a/x", "postgresql://b/x"]],
  ["postgres://a/x\npostgres://b/x\tpostgres://c/x", ["postgres://a/x", "postgres://b/x", "postgres://c/x"]],
  ["postgres://me:1,2@a/x postgres://b/x", ["postgres://me:1,2@a/x", "postgres://b/x"]],
])("the URLs of replicas are separated by spaces or commas: %j", (given, databaseReplicaUrls) => {
  const env = { DATABASE_URL: "postgres://db/x", DATABASE_REPLICA_URLS: given };
  expect(readConfig(env)).toMatchObject({ databaseReplicaUrls });
});

test("each replica is there once, and their passwords are not printed", () => {
  const env = { DATABASE_URL: "postgres://db/x" };
  for (const urls of ["postgres://me:secret@a/x,postgres://me:secret@a/x", "postgres://me:se/cret@a/x", "secret"]) {
    const [problem, ...others] = problemsOf({ ...env, DATABASE_REPLICA_URLS: urls });
    expect(problem).toMatch(/^DATABASE_REPLICA_URLS: must be /);
    expect([problem, others.length]).toEqual([expect.not.stringContaining("cret"), 0]);
  }
});

test("WORKERS is a number or auto, one for each core", () => {
  const cores = String(availableParallelism());
  expect(readConfig({ WORKERS: "auto", DATABASE_POOL_SIZE: cores }).workers).toBe(availableParallelism());
  expect(readConfig({ WORKERS: "10" }).workers).toBe(10);
});

test("metrics are served if they have a port, on this machine by default", () => {
  expect(readConfig({ METRICS_PORT: "0" }).metrics).toEqual({ host: "127.0.0.1", port: 0 });
  expect(readConfig({ METRICS_HOST: "0.0.0.0" }).metrics).toBeUndefined();
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://collector/v1/traces" }, true],
  [{ OTEL_TRACES_EXPORTER: "otlp" }, true],
  [{ OTEL_TRACES_EXPORTER: "none", OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }, false],
  [{ OTEL_SDK_DISABLED: "true", OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }, false],
  [{ OTEL_SERVICE_NAME: "permissions", OTEL_TRACES_SAMPLER: "always_on" }, false],
])("with %j traces are sent: %j", (env, expected) => {
  expect(readConfig(env).traces !== undefined).toBe(expected);
});

test("an issuer's keys are found by discovery, and may come from this machine without https", () => {
  for (const issuer of ["https://issuer.example", "http://localhost:9000", "http://127.0.0.1:9000/", "http://[::1]"]) {
    expect(readConfig({ JWT_ISSUER: issuer, JWT_AUDIENCE: "us" }).jwt).toEqual({
      issuer,
      audience: "us",
      jwksUrl: undefined,
      requireAtJwt: false,
      userClaim: "sub",
    });
  }
});

test("the console may be left out, and people sign in to it at the issuer when it knows a client", () => {
  const issuer = { JWT_ISSUER: "https://issuer.example", JWT_AUDIENCE: "us" };
  expect(readConfig({ ...issuer, OIDC_CLIENT_ID: "console" }).console?.oidc).toEqual({
    issuer: "https://issuer.example",
    clientId: "console",
    scopes: "openid",
    audience: "us",
  });
  expect(readConfig(issuer).console?.oidc).toBeUndefined();
  expect(readConfig({ ...issuer, OIDC_CLIENT_ID: "console", CONSOLE: "false" }).console).toBeUndefined();
});

describe("what cannot be used is refused by name", () => {
  test.each([
    ["PORT", "-1"],
    ["PORT", "65536"],
    ["PORT", "1e3"],
    ["PORT", "8080.5"],
    ["WORKERS", "0"],
    ["WORKERS", "129"],
    ["DATABASE_URL", "localhost:5432/db"],
    ["DATABASE_URL", "mysql://localhost/db"],
    ["DATABASE_URL", "postgresx://localhost/db"],
    ["DATABASE_URL", "postgres://me:p@ss/w@db.example/authz"],
    ["DATABASE_URL", "postgres://me:p@ss#w@db.example/authz"],
    ["DATABASE_POOL_SIZE", "0"],
    ["DATABASE_POOL_SIZE", "1001"],
    ["DEFAULT_LIMIT", "0"],
    ["MAX_LIMIT", "0"],
    ["DEFAULT_TIMEOUT_MS", "0"],
    ["MAX_TIMEOUT_MS", "3600001"],
    ["MAX_TOKEN_LIFETIME", "366"],
    ["MAX_TOKEN_LIFETIME", "0d"],
    ["MAX_TOKEN_LIFETIME", "never"],
    ["MAX_REQUEST_BYTES", "9999999999999999"],
    ["MAX_CONNECTIONS", "0"],
    ["MAX_REQUESTS_IN_FLIGHT", "0"],
    ["QUEUE_TIMEOUT_MS", "0"],
    ["RATE_LIMIT", "0"],
    ["SHUTDOWN_DELAY_MS", "-1"],
    ["CORS_ORIGINS", "shop.example"],
    ["CORS_ORIGINS", "https://shop.example/"],
    ["CORS_ORIGINS", "https://shop.example,null"],
    ["AVATAR_ORIGINS", "*"],
    ["AVATAR_ORIGINS", "pictures.example"],
    ["AVATAR_ORIGINS", "https://pictures.example/"],
    ["AVATAR_ORIGINS", "https://*.example"],
    ["AVATAR_ORIGINS", "https://pictures.example;script-src"],
    ["AVATAR_ORIGINS", "https://a.example,'unsafe-inline'"],
    ["AVATAR_ORIGINS", "https://a.example 'unsafe-inline'"],
    ["AVATAR_ORIGINS", "https://a'b.example"],
    ["AVATAR_ORIGINS", "https://me@pictures.example"],
    ["AVATAR_ORIGINS", "https://pictures.example:99999"],
    ["AVATAR_ORIGINS", "data:"],
    ["AVATAR_ORIGINS", "ftp://pictures.example"],
    ["AVATAR_ORIGINS", "null"],
    ["OIDC_SCOPES", "profile"],
    ["OIDC_SCOPES", "openidx"],
    ["OIDC_SCOPES", "openid,profile"],
    ["OIDC_SCOPES", 'openid "'],
    ["OTEL_BSP_SCHEDULE_DELAY", "0"],
  ])("%s=%s", (name, value) => {
    const others = { MAX_LIMIT: { DEFAULT_LIMIT: "1" }, OIDC_SCOPES: oidc }[name];
    const problems = problemsOf({ [name]: value, ...others });
    expect(problems.filter((problem) => problem.startsWith(`${name}: `))).toHaveLength(1);
  });

  test.each([
    "issuer.example",
    "http://issuer.example",
    "http://127.0.0.1.example",
    "ftp://issuer.example",
    "https://me:open-sesame@issuer.example",
    "https://",
    " https://issuer.example",
    "https://issuer.example?tenant=1",
    "https://issuer.example#",
  ])("JWT_ISSUER=%s", (issuer) => {
    const problems = problemsOf({ JWT_ISSUER: issuer, JWT_AUDIENCE: "us" });
    expect(problems).toEqual([expect.stringMatching(/^JWT_ISSUER: must be an https:/)]);
    expect(problems.join()).not.toContain("open-sesame");
  });

  test.each(["/keys", "http://issuer.example/keys", "data:,{}", "file:///keys", "https://me@issuer.example/keys"])(
    "JWT_JWKS_URL=%s",
    (url) => {
      expect(problemsOf({ JWT_ISSUER: "https://issuer.example", JWT_AUDIENCE: "us", JWT_JWKS_URL: url })).toEqual([
        expect.stringMatching(/^JWT_JWKS_URL: must be an https:/),
      ]);
    },
  );

  const JWT_ISSUER = "https://issuer.example";
  const JWT_JWKS_URL = "https://issuer.example/keys";
  const noHost = "OIDC_CLIENT_ID: needs a JWT_ISSUER whose host is a name or an IPv4 address";

  test.each<[env: Record<string, string>, ...problems: string[]]>([
    [{ JWT_ISSUER, JWT_JWKS_URL }, "JWT_ISSUER: needs JWT_AUDIENCE"],
    [{ JWT_AUDIENCE: "us", JWT_JWKS_URL }, "JWT_AUDIENCE: needs JWT_ISSUER", "JWT_JWKS_URL: needs JWT_ISSUER"],
    [{ JWT_REQUIRE_AT_JWT: "true" }, "JWT_REQUIRE_AT_JWT: needs JWT_ISSUER"],
    [{ JWT_USER_CLAIM: "oid" }, "JWT_USER_CLAIM: needs JWT_ISSUER"],
    [{ OIDC_CLIENT_ID: "console" }, "OIDC_CLIENT_ID: needs JWT_ISSUER"],
    [{ OIDC_SCOPES: "openid" }, "OIDC_SCOPES: needs OIDC_CLIENT_ID"],
    // No policy can name these.
    [{ ...oidc, JWT_ISSUER: "http://[::1]:9000" }, noHost],
    [{ ...oidc, JWT_ISSUER: "https://a;script-src" }, noHost],
    [{ ...oidc, JWT_ISSUER: "https://*.example" }, noHost],
    [{ TLS_CERT_FILE: "tls.crt" }, "TLS_CERT_FILE: needs TLS_KEY_FILE"],
    [{ TLS_KEY_FILE: "tls.key" }, "TLS_KEY_FILE: needs TLS_CERT_FILE"],
    [{ RATE_LIMIT_PERIOD_MS: "1000" }, "RATE_LIMIT_PERIOD_MS: needs RATE_LIMIT"],
    [{ DATABASE_REPLICA_URLS: "postgres://a/x" }, "DATABASE_REPLICA_URLS: needs DATABASE_URL"],
    [{ WORKERS: "11" }, "WORKERS: must be at most DATABASE_POOL_SIZE (10), got 11"],
    [{ DEFAULT_LIMIT: "11", MAX_LIMIT: "10" }, "DEFAULT_LIMIT: must be at most MAX_LIMIT (10), got 11"],
    [{ MAX_LIMIT: "10" }, "DEFAULT_LIMIT: must be at most MAX_LIMIT (10), got 100"],
    [{ DEFAULT_TIMEOUT_MS: "2", MAX_TIMEOUT_MS: "1" }, "DEFAULT_TIMEOUT_MS: must be at most MAX_TIMEOUT_MS (1), got 2"],
    // A short value is repeated, and a long one is not.
    [{ PORT: "eighty\neighty" }, String.raw`PORT: must be a whole number from 0 to 65535, got "eighty\neighty"`],
    [{ PORT: "8".repeat(59) }, "PORT: must be a whole number from 0 to 65535"],
  ])("settings that don't go together, or that no policy can name: %j", (env, ...problems) => {
    expect(problemsOf(env)).toEqual(problems);
  });

  test.each(["", "1.1", "-0.5", "half", "1e-1", "2"])("OTEL_TRACES_SAMPLER_ARG=%s", (part) => {
    const env = { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: part };
    const problem = `OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1, got "${part}"`;
    expect(problemsOf(env)).toEqual(part === "" ? [] : [problem]);
  });

  test("every problem at once, one a line, and never a password", () => {
    const problems = problemsOf({
      PORT: "x",
      DATABASE_URL: "postgrse://me:open-sesame@db/authorizations",
      MIGRATE: "x",
      CORS_ORIGINS: "x",
      LOG_LEVEL: "x",
      DEFAULT_TIMEOUT_MS: "60001",
    });
    expect(problems.map((problem) => problem.split(":")[0]).toSorted()).toEqual([
      "CORS_ORIGINS",
      "DATABASE_URL",
      "DEFAULT_TIMEOUT_MS",
      "LOG_LEVEL",
      "MIGRATE",
      "PORT",
    ]);
    expect(problems.join()).not.toContain("open-sesame");
  });
});
