// Renders deploy/kubernetes from the Helm chart, for people without Helm.
//
//   npm run render:manifests
//
// Needs helm on the PATH, or in .cache, where `npm run test:foreign` installs it.

import { execFileSync } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Document, parseAllDocuments } from "yaml";
import { env } from "../test/foreign/places.ts";
import { root } from "../test/support/repository.ts";

const folder = join(root, "deploy/kubernetes");
const values = "deploy/helm/examples/plain-manifests.yaml";

/** The files of deploy/kubernetes, with their contents. */
export function renderedManifests(): Map<string, string> {
  const args = ["template", "authorization", "deploy/helm/authorization-service", "--values", values];
  const rendered = execFileSync("helm", args, { cwd: root, env, encoding: "utf8" });
  return new Map((parseAllDocuments(rendered) as Document[]).map((document) => [fileOf(document), asFile(document)]));
}

/** The name of the template. */
function fileOf({ commentBefore, contents }: Document): string {
  const comment = `${commentBefore ?? ""}\n${contents?.commentBefore ?? ""}`;
  const [, name] = /Source: authorization-service\/templates\/(\S+)/.exec(comment) ?? [];
  if (name === undefined) throw new Error(`helm doesn't say where this comes from: ${comment}`);
  return name;
}

/** Without what only Helm needs. */
function asFile(document: Document): string {
  document.deleteIn(["metadata", "annotations"]);
  const text = document
    .toString({ lineWidth: 0, flowCollectionPadding: false })
    .replace(/^(---\n)?(# Source: .*\n)?/, "");
  return `# Rendered from deploy/helm by \`npm run render:manifests\`: change it there.\n${text.trim()}\n`;
}

if (import.meta.main) {
  const files = renderedManifests();
  for (const file of readdirSync(folder)) if (!files.has(file)) rmSync(join(folder, file));
  for (const [file, text] of files) writeFileSync(join(folder, file), text);
}
