import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { read, root } from "../support/repository.ts";

const manifests: Record<string, any> = Object.fromEntries(
  readdirSync(path.join(root, "deploy/kubernetes")).map((file) => [file, parse(read(`deploy/kubernetes/${file}`))]),
);
const named = (name: string) => manifests[name];
const [server] = named("deployment.yaml").spec.template.spec.containers;
const [migration] = named("migrate.yaml").spec.template.spec.containers;

describe("The manifests fit the service:", () => {
  test("both run the same image, as its user, and can write nothing", () => {
    expect(migration.image).toBe(server.image);
    const user = /^USER (\d+):(\d+)$/m.exec(read("Dockerfile"));
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
    const compose = parse(read("docker-compose.yml")).services.authorization;
    expect(server.env).toContainEqual({ name: "NODE_OPTIONS", value: compose.environment.NODE_OPTIONS });
    expect([server.resources.limits.memory, compose.mem_limit]).toEqual(["512Mi", "512m"]);
  });
});
