// The Helm chart, rendered by Helm, and checked against the schemas of Kubernetes, the Gateway API and the Prometheus Operator.

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import { renderedManifests } from "../../scripts/render-manifests.ts";
import { type Config, readConfig } from "../../src/config/config.ts";
import { expectKnownFields, expectValid, type Manifest } from "../deploy/manifests.ts";
import { read, root } from "../support/repository.ts";
import { env } from "./places.ts";

const chart = path.join(root, "deploy/helm/authorization-service");

function helm(args: string[], values: object): { code: number | null; output: string } {
  const options = { cwd: root, env, input: stringify(values), encoding: "utf8" } as const;
  const { status: code, stdout, stderr, error } = spawnSync("helm", [...args, "--values", "-"], options);
  if (error) throw error;
  return { code, output: code === 0 ? stdout : stderr };
}

function render(values: object): Manifest[] {
  const { code, output } = helm(["template", "authorization", chart, "--namespace", "shop"], values);
  expect(code, output).toBe(0);
  return parseAllDocuments(output).map((document) => document.toJS());
}

function only(manifests: readonly Manifest[], kind: string, name = "authorization"): Manifest {
  const [found, ...others] = manifests.filter((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  expect(others).toEqual([]);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
}

const least = { database: { url: { existingSecret: "postgres" } } };

/** Each value that can make a difference to what is rendered. */
const everything = {
  image: { digest: `sha256:${"0".repeat(64)}`, pullPolicy: "Always", pullSecrets: ["registry"] },
  database: {
    url: { existingSecret: "postgres", key: "uri" },
    ownerUrl: { existingSecret: "postgres-owner", key: "uri" },
    replicaUrls: { existingSecret: "postgres-replicas" },
  },
  migrations: { serviceRole: "authz_service" },
  init: { enabled: true, organization: "Acme", login: "ann@acme.example", name: "Ann Keller", token: true },
  env: { MAX_REQUEST_BYTES: 1_073_741_824, OTEL_TRACES_SAMPLER_ARG: 0.01, CONSOLE: false, WORKERS: "auto" },
  secretEnv: { OTEL_EXPORTER_OTLP_HEADERS: { existingSecret: "tracing", key: "headers" } },
  tls: { existingSecret: "authorization-tls" },
  caCertificates: { existingSecret: "authority" },
  extraVolumes: [{ name: "client", secret: { secretName: "postgres-client" } }],
  extraVolumeMounts: [{ name: "client", mountPath: "/etc/authorization/client", readOnly: true }],
  listenAddress: "::",
  shutdown: { delaySeconds: 30, graceSeconds: 60 },
  service: { type: "LoadBalancer", loadBalancerClass: "internal", annotations: { team: "identity" } },
  ingress: {
    enabled: true,
    className: "nginx",
    annotations: { team: "identity" },
    hosts: ["authorization.acme.example", "roles.acme.example"],
    tlsSecret: "public-tls",
  },
  httpRoute: {
    enabled: true,
    annotations: { team: "identity" },
    parentRefs: [{ name: "public", namespace: "gateways" }],
    hostnames: ["authorization.acme.example"],
    backendTls: { hostname: "authorization.shop.svc", caConfigMap: "authority" },
  },
  networkPolicy: {
    from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "gateways" } } }],
    egress: [{ ports: [{ port: 5432 }], to: [{ ipBlock: { cidr: "10.0.0.0/8" } }] }, { ports: [{ port: 443 }] }],
  },
  autoscaling: { enabled: true },
  metrics: {
    podMonitor: { enabled: true, labels: { prometheus: "main" } },
    prometheusRule: { enabled: true, labels: { prometheus: "main" } },
  },
  serviceAccount: { annotations: { team: "identity" } },
  podAnnotations: { team: "identity" },
  podLabels: { team: "identity" },
  priorityClassName: "important",
  nodeSelector: { "kubernetes.io/arch": "arm64" },
  tolerations: [{ key: "dedicated", operator: "Exists" }],
  affinity: { podAntiAffinity: {} },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "DoNotSchedule" },
  ],
};

const nothing = {
  ...least,
  migrations: { enabled: false },
  nodeOptions: "",
  networkPolicy: { enabled: false },
  podDisruptionBudget: { enabled: false },
  metrics: { enabled: false },
  serviceAccount: { create: false },
  podSecurityContext: { runAsUser: null, runAsGroup: null },
};

const examples = readdirSync(path.join(root, "deploy/helm/examples"));
const exampleOf = (file: string) => parse(read(`deploy/helm/examples/${file}`));
const variants: [name: string, values: object, kinds: string[]][] = [
  ["as little as possible", nothing, ["Deployment", "Service"]],
  [
    "what is required",
    least,
    ["Deployment", "Job", "NetworkPolicy", "PodDisruptionBudget", "Service", "ServiceAccount"],
  ],
  [
    "everything",
    everything,
    [
      ...["BackendTLSPolicy", "Deployment", "HTTPRoute", "HorizontalPodAutoscaler", "Ingress", "Job", "Job"],
      ...["NetworkPolicy", "NetworkPolicy", "PodDisruptionBudget", "PodMonitor", "PrometheusRule"],
      ...["Service", "ServiceAccount"],
    ],
  ],
];

describe("The chart renders", () => {
  test.each(variants)("%s, as the schemas want it", async (_name, values, kinds) => {
    const manifests = render(values);
    expect(manifests.map(({ kind }) => kind).toSorted()).toEqual(kinds);
    for (const manifest of manifests) await expectValid(manifest);
  });

  test.each(examples)("the example %s, with settings that the service takes", async (file) => {
    const manifests = render(exampleOf(file));
    for (const manifest of manifests) await expectValid(manifest);
    expect(settingsOf(manifests)).toMatchObject({ migrate: false, host: "0.0.0.0", metrics: { port: 9464 } });
  });

  test("no field that Kubernetes, the Gateway API or the Prometheus Operator doesn't know", async () => {
    await expectKnownFields([
      ...variants.flatMap(([, values]) => render(values)),
      ...examples.map(exampleOf).flatMap(render),
    ]);
  });

  test.each(variants)("%s without a complaint of helm lint", (_name, values) => {
    expect(helm(["lint", "--strict", chart], values)).toMatchObject({ code: 0 });
  });
});

test("deploy/kubernetes is what `npm run render:manifests` writes", () => {
  const committed = readdirSync(path.join(root, "deploy/kubernetes"));
  expect(Object.fromEntries(committed.map((file) => [file, read(`deploy/kubernetes/${file}`)]))).toEqual(
    Object.fromEntries(renderedManifests()),
  );
});

/** What the service makes of the variables of its container. Those from Secrets are not known. */
function settingsOf(manifests: readonly Manifest[]): Config {
  const [container] = only(manifests, "Deployment").spec.template.spec.containers;
  const variables = container.env.map(({ name, value, valueFrom }: any) => {
    const secret = name.endsWith("_HEADERS") ? "x=y" : `postgres://${name.toLowerCase()}/authz`;
    return [name, valueFrom === undefined ? value : secret];
  });
  expect(new Set(variables.map(([name]: [string]) => name)).size).toBe(variables.length);
  return readConfig(Object.fromEntries(variables));
}

describe("Of the values", () => {
  const manifests = () => render(everything);

  test("env reaches the servers as the service reads it, however large the number", () => {
    expect(settingsOf(manifests())).toMatchObject({
      maximumRequestBytes: 1_073_741_824,
      console: undefined,
      host: "::",
      tls: { certFile: "/etc/authorization/tls/tls.crt", keyFile: "/etc/authorization/tls/tls.key" },
      databaseReplicaUrls: ["postgres://database_replica_urls/authz"],
    });
    expect(only(manifests(), "Deployment").spec.template.spec.containers[0].env).toEqual(
      expect.arrayContaining([
        { name: "OTEL_TRACES_SAMPLER_ARG", value: "0.01" },
        { name: "OTEL_EXPORTER_OTLP_HEADERS", valueFrom: { secretKeyRef: { name: "tracing", key: "headers" } } },
      ]),
    );
  });

  test("shutdown gives pods longer to stop than servers take", () => {
    const { stopDelayMs, stopGraceMs } = settingsOf(manifests());
    expect([stopDelayMs, stopGraceMs]).toEqual([30_000, 60_000]);
    expect(only(manifests(), "Deployment").spec.template.spec.terminationGracePeriodSeconds).toBe(100);
  });

  test("tls makes probes, the Service and the gateway use TLS", () => {
    const { containers } = only(manifests(), "Deployment").spec.template.spec;
    expect([containers[0].livenessProbe, containers[0].readinessProbe].map(({ httpGet }) => httpGet)).toEqual([
      { path: "/healthz", port: "https", scheme: "HTTPS" },
      { path: "/readyz", port: "https", scheme: "HTTPS" },
    ]);
    const port = { name: "https", port: 443, targetPort: "https", appProtocol: "https" };
    expect(only(manifests(), "Service").spec.ports).toEqual([port]);
    expect(only(manifests(), "BackendTLSPolicy").spec.validation.hostname).toBe("authorization.shop.svc");
    const clear = { name: "http", port: 80, targetPort: "http", appProtocol: "kubernetes.io/h2c" };
    expect(only(render(least), "Service").spec.ports).toEqual([clear]);
  });

  test("the owner's URL is for Jobs alone, and each pod has only what it mounts", () => {
    const secretsOf = (manifest: Manifest) => {
      return JSON.stringify(manifest.spec.template.spec).match(/"(?:name|secretName)":"(postgres[\w-]*|tracing)"/g);
    };
    expect(secretsOf(only(manifests(), "Deployment"))?.join()).not.toContain("owner");
    for (const name of ["authorization-migrate", "authorization-init"]) {
      const [container] = only(manifests(), "Job", name).spec.template.spec.containers;
      const secretKeyRef = { name: "postgres-owner", key: "uri" };
      expect(container.env).toContainEqual({ name: "DATABASE_URL", valueFrom: { secretKeyRef } });
      // Without the Job for it, nothing migrates.
      expect(container.env).toContainEqual({ name: "MIGRATE", value: "false" });
      expect(JSON.stringify(container)).not.toContain("/etc/authorization/tls");
    }
  });

  test("Jobs need nothing that Helm creates after them, and run in order: the policy, migrations, the first owner", () => {
    const hooks = manifests().filter(({ metadata }) => "helm.sh/hook" in (metadata.annotations ?? {}));
    const order = hooks.map(({ metadata }) => [metadata.name, Number(metadata.annotations["helm.sh/hook-weight"])]);
    expect(order.toSorted(([, a], [, b]) => Number(a) - Number(b))).toEqual([
      ["authorization-jobs", -1],
      ["authorization-migrate", 0],
      ["authorization-init", 1],
    ]);
    for (const { kind, metadata, spec } of hooks) {
      // A rollback changes no schema.
      expect(metadata.annotations["helm.sh/hook"]).toBe("pre-install,pre-upgrade");
      if (kind === "Job") expect(spec.template.spec.serviceAccountName).toBeUndefined();
    }
  });

  test("init leaves no token in a log unless it is asked to", () => {
    const commandOf = (init: object) => {
      const job = only(render({ ...least, init: { ...everything.init, ...init } }), "Job", "authorization-init");
      return job.spec.template.spec.containers[0].command.slice(3).join(" ");
    };
    const who = "--if-needed --organization Acme --login ann@acme.example --name Ann Keller";
    expect(commandOf({})).toBe(`${who} --expires-in 1h`);
    expect(commandOf({ token: false, userId: "ann" })).toBe(`${who} --user-id ann --no-token`);
  });

  test("prometheusRule has the alerts, about the job that the PodMonitor makes, with runbooks on the site", () => {
    const { site } = JSON.parse(read("deploy/placeholders.json"));
    const alerts = read("ops/alerts.yml")
      .replaceAll('job="authorization"', 'job="shop/authorization"')
      .replaceAll("docs/how-to/respond-to-alerts.md", `${site}/how-to/respond-to-alerts`);
    expect(only(manifests(), "PrometheusRule").spec).toEqual(parse(alerts));
    // Prometheus' operator names the job after the namespace and the PodMonitor.
    expect(only(manifests(), "PodMonitor").spec.jobLabel).toBeUndefined();
    const [{ port }] = only(manifests(), "PodMonitor").spec.podMetricsEndpoints;
    const { ports } = only(manifests(), "Deployment").spec.template.spec.containers[0];
    expect(ports).toContainEqual({ name: port, containerPort: 9464 });
  });

  test("autoscaling alone decides how many servers there are", () => {
    expect(only(manifests(), "Deployment").spec.replicas).toBeUndefined();
    expect(only(render({ ...least, replicas: 3 }), "Deployment").spec.replicas).toBe(3);
  });
});

test.each<[what: string, values: object, says: string | RegExp]>([
  ["no Secret for Postgres", {}, "database.url.existingSecret: name a Secret with the URL of your Postgres under"],
  [
    "a setting that doesn't exist",
    { ...least, env: { JWT_ISUER: "https://login.example" } },
    "env.JWT_ISUER: there is no such setting. See docs/reference/configuration.md.",
  ],
  [
    "a secret in env",
    { ...least, env: { DATABASE_URL: "postgres://…" } },
    "env.DATABASE_URL: is a secret. Name an existing Secret in database.url.",
  ],
  [
    "a secret of OpenTelemetry in env",
    { ...least, env: { OTEL_EXPORTER_OTLP_HEADERS: "x=y" } },
    "env.OTEL_EXPORTER_OTLP_HEADERS: is a secret. Name an existing Secret in secretEnv.",
  ],
  [
    "a setting that another value makes",
    { ...least, env: { SHUTDOWN_DELAY_MS: 5_000 } },
    "env.SHUTDOWN_DELAY_MS: is set by shutdown.delaySeconds.",
  ],
  [
    "an unknown setting from a Secret",
    { ...least, secretEnv: { JWT_SECRET: { existingSecret: "x", key: "key" } } },
    "secretEnv.JWT_SECRET: there is no such setting.",
  ],
  [
    "a setting given twice",
    { ...least, env: { PUBLIC_URL: "https://x" }, secretEnv: { PUBLIC_URL: { existingSecret: "x", key: "key" } } },
    "env.PUBLIC_URL: is also in secretEnv. Set it once.",
  ],
  ["a number that is too large", { ...least, env: { MAX_LIMIT: 200_000 } }, /'\/env\/MAX_LIMIT': maximum: got 200,000/],
  [
    "an issuer whose tokens could be meant for others",
    { ...least, env: { JWT_ISSUER: "https://login.example" } },
    "env.JWT_ISSUER: needs JWT_AUDIENCE.",
  ],
  ["a number as text", { ...least, env: { MAX_LIMIT: "5" } }, /'\/env\/MAX_LIMIT': got string, want integer/],
  ["an unknown value", { ...least, replicaCount: 3 }, /additional properties 'replicaCount' not allowed/],
  [
    "an owner who couldn't sign in",
    { ...least, init: { enabled: true, organization: "Acme", login: "ann" } },
    "init.userId: give the owner's `sub` at your issuer, or set init.token to true.",
  ],
  [
    "authorities from two places",
    { ...everything, caCertificates: { existingConfigMap: "a", existingSecret: "b" } },
    "caCertificates: name either",
  ],
  ["an Ingress without a host", { ...least, ingress: { enabled: true } }, "ingress.hosts: name the hosts"],
  ["a route without a gateway", { ...least, httpRoute: { enabled: true } }, "httpRoute.parentRefs: name the gateway"],
  [
    "a gateway that wouldn't use TLS",
    { ...everything, httpRoute: { enabled: true, parentRefs: [{ name: "public" }] } },
    "httpRoute.backendTls.hostname: give the name in the certificate",
  ],
  [
    "alerts about metrics that aren't kept",
    { ...least, metrics: { enabled: false, prometheusRule: { enabled: true } } },
    "metrics.enabled: must be true",
  ],
  [
    "more servers at least than at most",
    { ...least, autoscaling: { enabled: true, minReplicas: 9 } },
    "autoscaling.minReplicas: must be at most autoscaling.maxReplicas.",
  ],
])("The chart doesn't render, and says why, with %s", (_what, values, says) => {
  const { code, output } = helm(["template", "authorization", chart], values);
  expect(code).toBe(1);
  expect(output).toMatch(says);
});
