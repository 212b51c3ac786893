import { resolve } from "node:path";
import type { JwtIssuer } from "./identity/jwt.ts";
import { isKeyUrl } from "./identity/key-url.ts";

/** Everything the environment decides. docs/reference.md, "Configuration", lists the variables. */
export type Config = {
  readonly host: string;
  readonly port: number;
  /** Undefined: use the embedded PostgreSQL in dataDirectory. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  /** Whether serving applies missing migrations, or refuses to start when there are any. */
  readonly migrate: boolean;
  readonly dataDirectory: string;
  /** Whether the first start on an empty embedded database loads the demo world. */
  readonly demo: boolean;
  readonly defaultLimit: number;
  readonly maximumLimit: number;
  readonly defaultTimeoutMs: number;
  readonly maximumTimeoutMs: number;
  readonly maximumRequestBytes: number;
  /** Origins of web pages that may call, or `*` alone for any; empty for none. */
  readonly corsOrigins: readonly string[];
  /** Undefined: no JWT is accepted, only personal access tokens. */
  readonly jwt: JwtIssuer | undefined;
  readonly logLevel: LogLevel;
};

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Names every variable that cannot be used, and why. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads and checks all variables at once. Throws a ConfigError that names every problem. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const problems: string[] = [];
  const read = readers(env, problems);
  const config: Config = {
    host: read.text("HOST", "127.0.0.1"),
    port: read.integer("PORT", 8080, 0, 65_535),
    databaseUrl: read.postgresUrl("DATABASE_URL"),
    databasePoolSize: read.integer("DATABASE_POOL_SIZE", 10, 1, 1_000),
    migrate: read.boolean("MIGRATE", true),
    dataDirectory: resolve(read.text("DATA_DIR", ".data")),
    demo: read.boolean("DEMO", true),
    defaultLimit: read.integer("DEFAULT_LIMIT", 100, 1, 100_000),
    maximumLimit: read.integer("MAX_LIMIT", 1_000, 1, 100_000),
    defaultTimeoutMs: read.integer("DEFAULT_TIMEOUT_MS", 10_000, 1, 3_600_000),
    maximumTimeoutMs: read.integer("MAX_TIMEOUT_MS", 60_000, 1, 3_600_000),
    maximumRequestBytes: read.integer("MAX_REQUEST_BYTES", 4_194_304, 1, 1_073_741_824),
    corsOrigins: read.origins("CORS_ORIGINS"),
    jwt: readJwtIssuer(read, problems),
    logLevel: read.oneOf("LOG_LEVEL", "info", logLevels),
  };
  if (config.defaultLimit > config.maximumLimit) problems.push("DEFAULT_LIMIT: must not be larger than MAX_LIMIT");
  if (config.defaultTimeoutMs > config.maximumTimeoutMs) {
    problems.push("DEFAULT_TIMEOUT_MS: must not be larger than MAX_TIMEOUT_MS");
  }
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  return config;
}

function readJwtIssuer(read: Readers, problems: string[]): JwtIssuer | undefined {
  const issuer = read.issuer("JWT_ISSUER");
  const audience = read.text("JWT_AUDIENCE", "");
  const jwksUrl = read.keyUrl("JWT_JWKS_URL");
  if (read.isGiven("JWT_ISSUER") && audience === "") problems.push("JWT_ISSUER: needs JWT_AUDIENCE");
  for (const name of ["JWT_AUDIENCE", "JWT_JWKS_URL"]) {
    if (read.isGiven(name) && !read.isGiven("JWT_ISSUER")) problems.push(`${name}: needs JWT_ISSUER`);
  }
  return issuer === undefined ? undefined : { issuer, audience, jwksUrl };
}

type Readers = ReturnType<typeof readers>;

/** One reader for each kind of value. A value it cannot use becomes a problem and the default. */
function readers(env: Record<string, string | undefined>, problems: string[]) {
  // An empty variable counts as not set, as compose files and shells make them.
  const given = (name: string) => env[name] || undefined;

  function refuse<T>(name: string, expected: string, fallback: T): T {
    problems.push(`${name}: must be ${expected}`);
    return fallback;
  }

  return {
    text: (name: string, fallback: string) => given(name) ?? fallback,

    integer(name: string, fallback: number, least: number, most: number): number {
      const text = given(name);
      if (text === undefined) return fallback;
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= least && value <= most
        ? value
        : refuse(name, `a whole number from ${least} to ${most}`, fallback);
    },

    boolean(name: string, fallback: boolean): boolean {
      const text = given(name);
      if (text === undefined) return fallback;
      return text === "true" || (text !== "false" && refuse(name, "true or false", fallback));
    },

    oneOf<T extends string>(name: string, fallback: T, values: readonly T[]): T {
      const text = given(name) ?? fallback;
      return values.find((value) => value === text) ?? refuse(name, `one of ${values.join(", ")}`, fallback);
    },

    /** The value is never part of the message: it may hold a password. */
    postgresUrl(name: string): string | undefined {
      const text = given(name);
      const usable = text === undefined || /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? "");
      return usable ? text : refuse(name, "a postgres:// or postgresql:// URL", undefined);
    },

    isGiven: (name: string) => given(name) !== undefined,

    keyUrl(name: string): string | undefined {
      const text = given(name);
      return text === undefined || isKeyUrl(text) ? text : refuse(name, keyUrlForm, undefined);
    },

    /** The text is kept as it is: tokens have to name exactly this issuer. */
    issuer(name: string): string | undefined {
      const text = given(name);
      const usable = text === undefined || (isKeyUrl(text) && !/[?#\s]/.test(text));
      return usable ? text : refuse(name, `${keyUrlForm}, without a query or a fragment`, undefined);
    },

    origins(name: string): string[] {
      const origins = (given(name) ?? "")
        .split(",")
        .map((origin) => origin.trim())
        .filter(Boolean);
      const usable = origins.every((origin) => origin === "*" || URL.parse(origin)?.origin === origin);
      return usable
        ? origins
        : refuse(name, "a list of origins such as https://shop.example, separated by commas, or *", []);
    },
  };
}

const keyUrlForm = "an https:// URL, or an http:// URL of this machine, without a user";
