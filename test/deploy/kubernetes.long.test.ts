import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../src/config/config.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "deploy/kubernetes");
/** Where the schema of each kind is. */
const modules: Record<string, string> = {
  Deployment: "kubernetes-models/apps/v1",
  Job: "kubernetes-models/batch/v1",
  PodDisruptionBudget: "kubernetes-models/policy/v1",
  Service: "kubernetes-models/v1",
};

const manifests = readdirSync(folder).map((file) => [file, parse(readFileSync(join(folder, file), "utf8"))] as const);
const named = (name: string) => manifests.find(([file]) => file === name)?.[1];
const [server] = named("deployment.yaml").spec.template.spec.containers;
const [migration] = named("migrate.yaml").spec.template.spec.containers;

test.each(manifests)("%s is what Kubernetes' schema wants", async (_file, manifest) => {
  // By a variable: the types of the package are written for looser settings than ours.
  const { [manifest.kind]: Schema } = await import(modules[manifest.kind] ?? "");
  expect(() => new Schema(manifest).validate()).not.toThrow();
});

// The schemas let unknown fields pass; the types made from them do not.
test("No manifest has a field that Kubernetes doesn't know", async () => {
  await mkdir(join(root, ".cache"), { recursive: true });
  const cache = await mkdtemp(join(root, ".cache/kubernetes-"));
  try {
    const typed = manifests.map(([, manifest], index) => {
      return `import type { I${manifest.kind} as T${index} } from "${modules[manifest.kind]}";\nexport const m${index}: T${index} = ${JSON.stringify(manifest, null, 1)};`;
    });
    await writeFile(join(cache, "manifests.ts"), typed.join("\n"));
    const settings = { extends: "../../tsconfig.json", compilerOptions: { skipLibCheck: true }, include: ["*.ts"] };
    await writeFile(join(cache, "tsconfig.json"), JSON.stringify(settings));
    await promisify(execFile)(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", cache]);
  } finally {
    await rm(cache, { recursive: true });
  }
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
    expect(terminationGracePeriodSeconds * 1_000).toBeGreaterThan(SHUTDOWN_DELAY_MS + SHUTDOWN_GRACE_MS);
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

  test("the heap leaves room in the container's memory, as docker-compose.yml has it", () => {
    const compose = parse(readFileSync(join(root, "docker-compose.yml"), "utf8")).services.authorization;
    expect(server.env).toContainEqual({ name: "NODE_OPTIONS", value: compose.environment.NODE_OPTIONS });
    expect([server.resources.limits.memory, compose.mem_limit]).toEqual(["512Mi", "512m"]);
  });
});
