import { ConfigError, readConfig } from "../../src/config/config.ts";

/** What some variables need in order to count. */
export const neededSettings = {
  RATE_LIMIT: "5",
  JWT_ISSUER: "https://login.example",
  JWT_AUDIENCE: "authorization",
  OIDC_CLIENT_ID: "the-console",
  OTEL_TRACES_SAMPLER: "traceidratio",
};

/** The names of all variables that the service reads. */
export function settingsRead(): string[] {
  const read = new Set<string>();
  readConfig(
    new Proxy<Record<string, string>>(
      {},
      {
        get(_, name) {
          read.add(String(name));
          // Its argument is read for some samplers alone.
          return name === "OTEL_TRACES_SAMPLER" ? "traceidratio" : undefined;
        },
      },
    ),
  );
  return [...read];
}

/** What is wrong with settings. */
export function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split("\n");
  }
}
