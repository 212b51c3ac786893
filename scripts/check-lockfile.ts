// Fails if a package-lock.json would not install the same everywhere.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

type Versions = Record<string, string>;

interface Manifest {
  dependencies?: Versions;
  devDependencies?: Versions;
  optionalDependencies?: Versions;
}

interface Entry {
  resolved?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  optionalDependencies?: Versions;
}

interface Lockfile {
  packages: Record<string, Entry>;
}

const { missingEntries }: { missingEntries(lockfile: Lockfile): Record<string, unknown> } = createRequire(
  import.meta.url,
)("./complete-lockfile.cjs");

/**
 * Development tools for other platforms that could not be fetched where the lockfile was written, so their hashes are
 * unknown. `npm view NAME@VERSION dist.integrity` prints a hash: add it to the lockfile and take the name off this
 * list.
 */
const unhashed = [
  "@biomejs/cli-android-arm64",
  "@biomejs/cli-android-x64",
  "@biomejs/cli-darwin-arm64",
  "@biomejs/cli-darwin-x64",
  "@biomejs/cli-linux-arm64-musl",
  "@biomejs/cli-linux-x64-musl",
  "@biomejs/cli-win32-arm64",
  "@biomejs/cli-win32-x64",
  "@bufbuild/buf-darwin-arm64",
  "@bufbuild/buf-darwin-x64",
  "@bufbuild/buf-linux-armv7",
  "@bufbuild/buf-win32-arm64",
  "@bufbuild/buf-win32-x64",
];

if (import.meta.main) {
  const problems = [
    ...problemsIn(".", unhashed),
    ...["docs", "packaging", "test/postgres-versions"].flatMap((folder) =>
      problemsIn(folder, []).map((problem) => `In ${folder}: ${problem}`),
    ),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length) process.exitCode = 1;
}

function problemsIn(folder: string, listed: string[]): string[] {
  const read = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, "..", folder, file), "utf8"));
  return lockfileProblems(read("package.json"), read("package-lock.json"), listed);
}

/**
 * One sentence for each problem.
 *
 * @param listed names of development packages that may lack a hash
 */
export function lockfileProblems(manifest: Manifest, lockfile: Lockfile, listed: string[] = []): string[] {
  return [
    ...inexactVersions({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }),
    ...Object.keys(missingEntries(lockfile)).map(
      (place) => `package-lock.json lacks ${place}: run node scripts/complete-lockfile.cjs.`,
    ),
    ...Object.entries(lockfile.packages)
      .filter(([, entry]) => entry.resolved && !entry.link)
      .map(([place]) => `package-lock.json says where ${place} was fetched: remove "resolved".`),
    ...missingHashes(lockfile, listed),
  ];
}

// Without a hash, npm installs whatever the registry offers under this name and version.
function missingHashes({ packages }: Lockfile, listed: string[]): string[] {
  const places = Object.keys(packages).filter(
    (place) => isFetched(place, packages[place]) && !isHashed(packages[place]),
  );
  const allowed = new Set(listed.map((name) => `node_modules/${name}`));
  return [
    ...places
      .filter((place) => !allowed.has(place))
      .map(
        (place) => `package-lock.json has no sha512 hash for ${place}: npm view NAME@VERSION dist.integrity prints it.`,
      ),
    ...[...allowed]
      .filter((place) => !places.includes(place))
      .map((place) => `scripts/check-lockfile.ts lists ${place}, which needs no exception: remove it from the list.`),
    ...places
      .filter((place) => allowed.has(place) && !isForDevelopment(packages[place]))
      .map((place) => `${place} is not an optional package for development alone: it must have a hash.`),
  ];
}

/** Everything except the folders of this repository and the links to them. */
function isFetched(place: string, entry: Entry | undefined): boolean {
  return /(^|\/)node_modules\//.test(place) && !entry?.link;
}

/** npm ignores hashes that it can't read. */
function isHashed(entry: Entry | undefined): boolean {
  return /^sha512-[A-Za-z0-9+/]{86}==$/.test(entry?.integrity ?? "");
}

function isForDevelopment(entry: Entry | undefined): boolean {
  return entry?.dev === true && entry.optional === true;
}

// With a range, two installations could differ, and npm on an older Node picks older versions. A folder of this
// repository is only linked.
function inexactVersions(dependencies: Versions): string[] {
  return Object.entries(dependencies)
    .filter(([, version]) => !/^(file:\w+|(npm:(@[^/@]+\/)?[^/@]+@)?\d+\.\d+\.\d+(-[\w.-]+)?)$/.test(version))
    .map(([name, version]) => `package.json wants ${name} ${version}: write an exact version.`);
}
