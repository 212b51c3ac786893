// Checks what a release publishes on npm, and the SBOM of the npm packages in the image. Publishes nothing.
//
//   npm run check:packages                       also needs packaging/node_modules, which it installs
//   npm run check:packages -- --sbom sbom.json   and keeps the SBOM

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const root = join(import.meta.dirname, "..");
const client = join(root, "client");
const { values } = parseArgs({ options: { sbom: { type: "string" } } });
// As the image installs them.
const omitted = ["dev", "optional"];
const asCycloneDx = ["--spec-version", "1.6", "--package-lock-only", "--output-reproducible", "--validate"];
const folder = mkdtempSync(join(tmpdir(), "packages-"));
try {
  const sbom = values.sbom ? resolve(values.sbom) : join(folder, "sbom.json");
  // Must not depend on a registry.
  npm(client, "publish", "--dry-run", "--offline", "--loglevel=error");
  npm(client, "pack", "--silent", "--pack-destination", folder);
  const { name, version } = JSON.parse(readFileSync(join(client, "package.json"), "utf8"));
  const tarball = join(folder, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
  tool("publint", "run", tarball, "--strict");
  // The package has no CommonJS, which no supported Node needs.
  tool("attw", tarball, "--profile", "esm-only", "--no-emoji");
  tool("cyclonedx-npm", ...omitted.flatMap((kind) => ["--omit", kind]), ...asCycloneDx, "--output-file", sbom);
  compare(sbom);
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Fails unless the SBOM has every package of the lockfile that the image installs, in its version. npm also lists optional
 * packages of packages, which the image has not.
 */
function compare(sbom: string): void {
  const { components }: { components: Component[] } = JSON.parse(readFileSync(sbom, "utf8"));
  const { packages }: { packages: Record<string, Entry> } = JSON.parse(
    readFileSync(join(root, "package-lock.json"), "utf8"),
  );
  const locked = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.includes("node_modules/") && !dev && !link,
  );
  const named = (entries: typeof locked) =>
    new Set(entries.map(([path, { version }]) => `${path.split("node_modules/").at(-1)}@${version}`));
  const installed = named(locked.filter(([, { optional, devOptional }]) => !optional && !devOptional));
  const found = new Set(components.flatMap(nameOf));
  const lacking = [...installed.difference(found)];
  const foreign = [...found.difference(named(locked))];
  if (installed.size === 0 || lacking.length > 0 || foreign.length > 0) {
    throw new Error(
      `The SBOM lacks ${lacking.join(", ") || "nothing"}, and should not have ${foreign.join(", ") || "less"}.`,
    );
  }
  console.log(`The SBOM has ${found.size} packages.`);
}

type Component = { group?: string; name: string; version: string; components?: Component[] };
type Entry = { version?: string; dev?: boolean; optional?: boolean; devOptional?: boolean; link?: boolean };

/** Packages can be inside of others. */
function nameOf({ group, name, version, components = [] }: Component): string[] {
  return [`${group ? `${group}/` : ""}${name}@${version}`, ...components.flatMap(nameOf)];
}

function tool(name: string, ...args: string[]): void {
  run(join(root, "packaging/node_modules/.bin", name), root, args);
}

function npm(cwd: string, ...args: string[]): void {
  run("npm", cwd, args);
}

/** Shows what it prints only if it fails. */
function run(command: string, cwd: string, args: string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status === 0) return;
  throw new Error(`${command} ${args.join(" ")}\n${error ?? ""}${stdout}${stderr}`);
}
