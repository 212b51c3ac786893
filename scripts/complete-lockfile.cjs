// Adds the entries that npm leaves out of package-lock.json: when an optional package for another platform cannot be
// fetched, `npm install` writes the lockfile without it, and `npm ci` then refuses that lockfile everywhere. Run it
// after every `npm install`. `npm run check:lockfile` fails if you forget.
//
//   node scripts/complete-lockfile.cjs           package-lock.json
//   node scripts/complete-lockfile.cjs docs      that of another package, by its folder
//
// Old CommonJS without dependencies, because it has to run when nothing could be installed.

"use strict";

const fs = require("node:fs");
const path = require("node:path");

/**
 * The entries that `lockfile` lacks, by their place: one for every name in any `optionalDependencies` that can't be
 * resolved.
 */
exports.missingEntries = function missingEntries(lockfile) {
  const missing = {};
  for (const [parent, entry] of Object.entries(lockfile.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies || {})) {
      if (!resolves(lockfile.packages, parent, name)) {
        missing[`node_modules/${name}`] = foreignEntry(name, version, entry.dev);
      }
    }
  }
  return missing;
};

if (require.main === module) {
  const name = path.join(process.argv[2] || "", "package-lock.json");
  const file = path.join(__dirname, "..", name);
  const lockfile = JSON.parse(fs.readFileSync(file, "utf8"));
  const missing = exports.missingEntries(lockfile);
  const { atime, mtime } = fs.statSync(file);
  lockfile.packages = sortedByPlace({ ...lockfile.packages, ...missing });
  fs.writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`);
  // The installed packages are still right, so ensure-installed.cjs must not take the lockfile for a newer one.
  fs.utimesSync(file, atime, mtime);
  console.log(`Added ${Object.keys(missing).length} missing entries to ${name}.`);
}

// Like Node: looks in the package's own node_modules first, then in those of every package around it.
function resolves(packages, parent, name) {
  for (let place = parent; ; place = place.slice(0, Math.max(0, place.lastIndexOf("/node_modules/")))) {
    if (packages[`${place}${place && "/"}node_modules/${name}`]) return true;
    if (!place) return false;
  }
}

// Without an integrity hash, npm accepts whatever the registry has under this version. The platform comes from the
// name, because the package could not be fetched.
function foreignEntry(name, version, dev) {
  if (!/^\d+\.\d+\.\d+/.test(version)) throw new Error(`${name} has no exact version: ${version}`);
  const platform =
    /(?:^|[-/])(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-([a-z0-9]+)(?:-(.+))?$/.exec(
      name,
    );
  if (!platform) throw new Error(`${name} does not say which platform it is for: add its entry by hand`);
  const [, os, cpu, libc] = platform;
  return {
    version,
    cpu: [{ aarch64: "arm64", armv7: "arm" }[cpu] || cpu],
    ...(dev && { dev: true }),
    ...(os === "linux" && libc && { libc: [libc.startsWith("musl") ? "musl" : "glibc"] }),
    optional: true,
    os: [os],
  };
}

function sortedByPlace(packages) {
  const places = Object.keys(packages).sort((a, b) => a.localeCompare(b, "en"));
  return Object.fromEntries(places.map((place) => [place, packages[place]]));
}
