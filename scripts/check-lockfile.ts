// Fails when package-lock.json would not install the same thing everywhere.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

type Versions = Record<string, string>;

interface Manifest {
  dependencies?: Versions;
  devDependencies?: Versions;
  optionalDependencies?: Versions;
}

interface Lockfile {
  packages: Record<string, { resolved?: string; link?: boolean; optionalDependencies?: Versions }>;
}

const { missingEntries }: { missingEntries(lockfile: Lockfile): Record<string, unknown> } = createRequire(
  import.meta.url,
)("./complete-lockfile.cjs");

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  const problems = lockfileProblems(
    JSON.parse(readFileSync(join(root, "package.json"), "utf8")),
    JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")),
  );
  for (const problem of problems) console.error(problem);
  if (problems.length) process.exitCode = 1;
}

/** One sentence for each problem. */
export function lockfileProblems(manifest: Manifest, lockfile: Lockfile): string[] {
  return [
    ...inexactVersions({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }),
    ...Object.keys(missingEntries(lockfile)).map(
      (place) => `package-lock.json lacks ${place}: run node scripts/complete-lockfile.cjs.`,
    ),
    ...Object.entries(lockfile.packages)
      .filter(([, entry]) => entry.resolved && !entry.link)
      .map(([place]) => `package-lock.json says where ${place} was fetched: remove "resolved".`),
  ];
}

// A range lets two installs differ, and npm run by an older Node picks older versions out of it. A folder of this
// repository is linked as it is.
function inexactVersions(dependencies: Versions): string[] {
  return Object.entries(dependencies)
    .filter(([, version]) => !/^(file:\w+|(npm:(@[^/@]+\/)?[^/@]+@)?\d+\.\d+\.\d+(-[\w.-]+)?)$/.test(version))
    .map(([name, version]) => `package.json wants ${name} ${version}: write an exact version.`);
}
