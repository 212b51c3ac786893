import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../src/config/config.ts";
import { expectKnownFields, expectValid, type Manifest } from "./manifests.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "deploy/kubernetes");

const manifests = readdirSync(folder).map(
  (file): [string, Manifest] => [file, parse(readFileSync(join(folder, file), "utf8"))] as const,
);
const named = (name: string): any => manifests.find(([file]) => file === name)?.[1];
const [server] = named("deployment.yaml").spec.template.spec.containers;
const [migration] = named("migrate.yaml").spec.template.spec.containers;

test.each(manifests)("%s is what Kubernetes' schema wants", async (_file, manifest) => {
  await expectValid(manifest);
});

test("No manifest has a field that Kubernetes doesn't know", async () => {
  await expectKnownFields(manifests.map(([, manifest]) => manifest));
});

describe("The manifests fit the service:", () => {
  test("its configuration takes their variables", () => {
    const values = server.env.map(({ name, value }: any) => [name, value ?? "postgres://postgres/authz"]);
    expect(readConfig(Object.fromEntries(values))).toMatchObject({ migrate: false, metrics: { port: 9464 } });
  });

  test("the ports are those it listens on", () => {
    expect(server.ports.map(({ containerPort }: any) => containerPort)).toEqual([readConfig({}).port, 9464]);
  });

  test("probes ask for health where it is answered", () => {
    expect([server.livenessProbe.httpGet.path, server.readinessProbe.httpGet.path]).toEqual(["/healthz", "/readyz"]);
  });

  test("pods have longer to stop than the server takes", () => {
    const { terminationGracePeriodSeconds } = named("deployment.yaml").spec.template.spec;
    const { SHUTDOWN_DELAY_MS, SHUTDOWN_GRACE_MS } = Object.fromEntries(
      server.env.map(({ name, value }: any) => [name, Number(value)]),
    );
    // As docs/how-to/deploy.md says.
    expect(terminationGracePeriodSeconds * 1_000).toBeGreaterThanOrEqual(SHUTDOWN_DELAY_MS + SHUTDOWN_GRACE_MS + 5_000);
  });

  test("both run the same image, as its user, and can write nothing", () => {
    expect(migration.image).toBe(server.image);
    const user = /^USER (\d+):(\d+)$/m.exec(readFileSync(join(root, "Dockerfile"), "utf8"));
    for (const file of ["deployment.yaml", "migrate.yaml"]) {
      const { securityContext, containers } = named(file).spec.template.spec;
      expect([securityContext.runAsUser, securityContext.runAsGroup].map(String)).toEqual(user?.slice(1));
      expect(containers[0].securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
      });
    }
  });

  test("requests, evictions and metrics concern the servers, never a Job", () => {
    const { labels } = named("deployment.yaml").spec.template.metadata;
    const selectors = [
      named("deployment.yaml").spec.selector.matchLabels,
      named("service.yaml").spec.selector,
      named("pod-disruption-budget.yaml").spec.selector.matchLabels,
      named("network-policy.yaml").spec.podSelector.matchLabels,
    ];
    for (const selector of selectors) {
      expect(labels).toMatchObject(selector);
      expect(named("migrate.yaml").spec.template.metadata.labels).not.toMatchObject(selector);
    }
  });

  test("the heap leaves room in the container's memory, as docker-compose.yml has it", () => {
    const compose = parse(readFileSync(join(root, "docker-compose.yml"), "utf8")).services.authorization;
    expect(server.env).toContainEqual({ name: "NODE_OPTIONS", value: compose.environment.NODE_OPTIONS });
    expect([server.resources.limits.memory, compose.mem_limit]).toEqual(["512Mi", "512m"]);
  });
});
