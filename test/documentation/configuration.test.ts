import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { read } from "../support/repository.ts";
import { neededSettings, problemsOf, settingsRead } from "../support/settings.ts";

const page = read("docs/reference/configuration.md");

type Row = { readonly name: string; readonly fallback: string; readonly unit: string; readonly values: string };

/** Every table on the page. */
const rows: Row[] = [...page.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(([, name = "", rest = ""]) => {
  const [fallback = "", unit = "", values = ""] = rest.split("|").map((cell) => cell.trim());
  return { name, fallback: fallback.replaceAll("`", ""), unit, values };
});

const needed = {
  ...neededSettings,
  DATABASE_URL: "postgres://127.0.0.1/authz",
  TLS_CERT_FILE: "tls.crt",
  TLS_KEY_FILE: "tls.key",
  METRICS_PORT: "9464",
  OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
};

/** What readConfig says of a value that nothing accepts. */
function expectedOf(name: string): string | undefined {
  const problems = problemsOf({ ...needed, [name]: "\u0001 nonsense" });
  return problems.find((line) => line.startsWith(`${name}: `))?.replace(/, got .*/, "");
}

function asMessage({ name, values }: Row): string {
  return `${name}: must be ${values.replace(/^(\d+) to (\d+)$/, "a whole number from $1 to $2")}`;
}

test("The page lists every variable that is read, once, and no other", () => {
  expect(rows.map(({ name }) => name).toSorted()).toEqual(settingsRead().toSorted());
});

describe("The page says", () => {
  test.each(rows)("which values $name takes", (row) => {
    const expected = expectedOf(row.name);
    // Any text will do.
    if (expected === undefined)
      expect(row.values).toMatch(/^(an address or a host name|a folder|a file|a string|a text)$/);
    else expect(expected).toBe(asMessage(row));
  });

  test.each(rows.filter(({ fallback }) => fallback !== ""))("the default of $name", ({ name, fallback }) => {
    // The sampler decides what comes of its argument.
    const base: Record<string, string | undefined> = { ...needed };
    if (name === "OTEL_TRACES_SAMPLER") delete base.OTEL_TRACES_SAMPLER;
    const without = readConfig({ ...base, [name]: undefined });
    expect(readConfig({ ...base, [name]: fallback })).toEqual(without);
    expect(readConfig({ ...base, [name]: another(name, fallback) })).not.toEqual(without);
  });

  test.each(rows.filter(({ fallback }) => fallback === ""))("that $name has no default", ({ name }) => {
    const base: Record<string, string | undefined> = { ...needed };
    delete base[name];
    // These need each other.
    if (/^(JWT_(ISSUER|AUDIENCE)|TLS_.*)$/.test(name)) return expect(() => readConfig(base)).toThrow();
    const config = JSON.stringify(readConfig(base));
    if (name in needed) expect(config).not.toContain(JSON.stringify(needed[name as keyof typeof needed]));
    return expect(readConfig({ ...base, [name]: "" })).toEqual(readConfig(base));
  });

  test.each(rows)("the unit of $name", ({ name, unit, values }) => {
    if (/_MS$|_DELAY$|_TIMEOUT$/.test(name)) expect(unit).toBe("ms");
    else if (name.endsWith("_BYTES")) expect(unit).toBe("bytes");
    else if (/^\d/.test(values) && !name.endsWith("PORT")) expect(unit).not.toBe("");
    else expect(unit).toBe("");
  });
});

/** A value that is accepted and is not the default. */
function another(name: string, fallback: string): string {
  if (fallback === "true" || fallback === "false") return String(fallback !== "true");
  if (name === "OTEL_TRACES_SAMPLER_ARG") return "0.5";
  // The smallest changes that stay below the maxima that depend on other variables.
  if (name === "DEFAULT_TIMEOUT_MS" || name === "DEFAULT_LIMIT") {
    return String(Number(fallback) - 1);
  }
  if (/^\d+$/.test(fallback)) return String(Number(fallback) + 1);
  const others: Record<string, string> = {
    LOG_LEVEL: "debug",
    OIDC_SCOPES: "openid profile",
    SERVICE_ALIASES: "none",
    MAX_TOKEN_LIFETIME: "12h",
    OTEL_TRACES_SAMPLER: "always_on",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
  };
  return others[name] ?? `${fallback}2`;
}
