// Writes what the Helm chart takes from elsewhere: the settings that `env` may have, with what
// docs/reference/configuration.md says of each, and the alerts.
//
//   npm run describe:chart

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const chart = join(root, "deploy/helm/authorization-service");
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** Settings that other values of the chart make, and how to set them. */
const elsewhere: Record<string, string> = {
  HOST: "is set by listenAddress.",
  PORT: "is fixed, because each pod has an address of its own. Clients connect to service.port.",
  TLS_CERT_FILE: "is set by tls.existingSecret.",
  TLS_KEY_FILE: "is set by tls.existingSecret.",
  SHUTDOWN_DELAY_MS: "is set by shutdown.delaySeconds.",
  SHUTDOWN_GRACE_MS: "is set by shutdown.graceSeconds.",
  DATABASE_URL: "is a secret. Name an existing Secret in database.url.",
  DATABASE_REPLICA_URLS: "is a secret. Name an existing Secret in database.replicaUrls.",
  MIGRATE: "is fixed: servers don't migrate. A Job does, with migrations.enabled.",
  DATA_DIR: "is for the embedded PostgreSQL, which the image doesn't have.",
  DEMO: "is for the embedded PostgreSQL, which the image doesn't have.",
  METRICS_PORT: "is set by metrics.enabled.",
  METRICS_HOST: "is set by listenAddress.",
  NODE_OPTIONS: "is set by nodeOptions.",
  NODE_EXTRA_CA_CERTS: "is set by caCertificates.",
  OTEL_EXPORTER_OTLP_HEADERS: "is a secret. Name an existing Secret in secretEnv.",
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: "is a secret. Name an existing Secret in secretEnv.",
};

/** What only OpenTelemetry reads. The page lists it below its tables. */
const ofOpenTelemetry = [
  "OTEL_EXPORTER_OTLP_TIMEOUT",
  "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT",
  "OTEL_EXPORTER_OTLP_COMPRESSION",
  "OTEL_EXPORTER_OTLP_TRACES_COMPRESSION",
  "OTEL_SERVICE_NAME",
  "OTEL_RESOURCE_ATTRIBUTES",
];

/** The files of the chart that this writes, with their contents. */
export function describedFiles(): Record<string, string> {
  const rows = [...read("docs/reference/configuration.md").matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(
    ([, name = "", rest = ""]) => {
      const [, , values = "", what = ""] = rest.split("|").map((cell) => cell.trim());
      return { name, values, what };
    },
  );
  const names = [...new Set([...rows.map(({ name }) => name), ...ofOpenTelemetry, ...Object.keys(elsewhere)])].sort();
  const schema = JSON.parse(readFileSync(join(chart, "values.schema.json"), "utf8"));
  schema.properties.env.properties = Object.fromEntries([
    ...rows
      .filter(({ name }) => !(name in elsewhere))
      .map(({ name, values, what }) => [name, { description: plain(what), ...typeOf(values) }]),
    ...ofOpenTelemetry.map((name) => {
      return [
        name,
        { description: "OpenTelemetry reads this.", type: name.endsWith("_TIMEOUT") ? "integer" : "string" },
      ];
    }),
  ]);
  return {
    "values.schema.json": asJson(schema),
    "files/settings.json": asJson(Object.fromEntries(names.map((name) => [name, elsewhere[name] ?? ""]))),
    "files/alerts.yml": read("ops/alerts.yml"),
  };
}

/** Without links. */
function plain(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

/** The schema of the page's column "Values". The service itself checks the rest when it starts. */
function typeOf(values: string): object {
  const [, least, most, orAuto] = /^(?:a whole number from )?(\d+) to (\d+)(, or auto)?$/.exec(values) ?? [];
  if (least !== undefined) {
    const number = { type: "integer", minimum: Number(least), maximum: Number(most) };
    return orAuto ? { anyOf: [number, { const: "auto" }] } : number;
  }
  if (values === "true or false") return { type: "boolean" };
  if (values === "a number from 0 to 1") return { type: "number", minimum: 0, maximum: 1 };
  const choice = /^one of (.*)$/.exec(values)?.[1];
  if (choice !== undefined) return { enum: choice.split(", ") };
  if (values.startsWith("an https:// URL that")) return { type: "string", pattern: "^https://" };
  if (/^an https?:\/\/ (or|URL)/.test(values)) return { type: "string", pattern: "^https?://" };
  return { type: "string" };
}

function asJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(describedFiles())) writeFileSync(join(chart, file), text);
}
