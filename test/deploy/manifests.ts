import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { root } from "../support/repository.ts";

/** What Kubernetes, the Gateway API or the Prometheus Operator takes. */
export type Manifest = { readonly apiVersion: string; readonly kind: string } & Record<string, any>;

/** Where the schemas and types of a version of an API are. */
function moduleOf({ apiVersion }: Manifest): string {
  if (apiVersion.startsWith("gateway.networking.k8s.io/")) return `@kubernetes-models/gateway-api/${apiVersion}`;
  if (apiVersion.startsWith("monitoring.coreos.com/")) return `@kubernetes-models/prometheus-operator/${apiVersion}`;
  return `kubernetes-models/${apiVersion}`;
}

/** Fails unless the schema of its kind accepts the manifest. */
export async function expectValid(manifest: Manifest): Promise<void> {
  // By a variable: the types of the packages are written for looser settings than ours.
  const { [manifest.kind]: Schema } = await import(moduleOf(manifest));
  expect(() => new Schema(manifest).validate(), `${manifest.kind} ${manifest.metadata.name}`).not.toThrow();
}

/** Fails if a manifest has an unknown field: the schemas let those pass, but the types made from them do not. */
export async function expectKnownFields(manifests: readonly Manifest[]): Promise<void> {
  await mkdir(join(root, ".cache"), { recursive: true });
  const cache = await mkdtemp(join(root, ".cache/kubernetes-"));
  try {
    const typed = manifests.map((manifest, index) => {
      return `import type { I${manifest.kind} as T${index} } from "${moduleOf(manifest)}";\nexport const m${index}: T${index} = ${JSON.stringify(manifest, null, 1)};`;
    });
    await writeFile(join(cache, "manifests.ts"), typed.join("\n"));
    const settings = { extends: "../../tsconfig.json", compilerOptions: { skipLibCheck: true }, include: ["*.ts"] };
    await writeFile(join(cache, "tsconfig.json"), JSON.stringify(settings));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const checked = await promisify(execFile)(process.execPath, [tsc, "-p", cache]).catch((error) => error);
    expect(checked.stdout).toBe("");
  } finally {
    await rm(cache, { recursive: true });
  }
}
