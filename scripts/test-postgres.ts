// Runs the tests on every supported PostgreSQL version, each as an embedded one.
//
//   npm run test:postgres                     all tests on all versions
//   npm run test:postgres -- --only 15,16     on these versions
//   npm run test:postgres -- test/rpc         only these tests
//
// The binaries of the older versions are in a separate package, test/postgres-versions, so people who only want to use
// the service don't download them. The tests of the embedded launcher itself run only on the version that comes with
// the service.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { openEmbeddedPostgres } from "../src/embedded/embedded-postgres.ts";

const root = path.join(import.meta.dirname, "..");
const folder = path.join(root, "test/postgres-versions");

const { values, positionals } = parseArgs({
  options: { only: { type: "string", default: "15,16,17,18" } },
  allowPositionals: true,
});
const versions = values.only.split(",").map(Number);
if (versions.some((version) => version < 18)) installOlder();

const failed: number[] = [];
for (const version of versions) {
  const started = performance.now();
  const passed = await passesOn(version);
  if (!passed) failed.push(version);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${passed ? "ok    " : "FAILED"}  PostgreSQL ${version}  ${seconds} s`);
}
console.log(failed.length ? `\nFailed on PostgreSQL ${failed.join(", ")}` : "\nAll versions passed.");
process.exitCode = failed.length ? 1 : 0;

function installOlder(): void {
  const { status } = spawnSync(process.execPath, ["scripts/ensure-installed.cjs", "test/postgres-versions"], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("the older PostgreSQL versions could not be installed");
}

async function passesOn(version: number): Promise<boolean> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), `test-postgres-${version}-`));
  const postgres = await openEmbeddedPostgres({
    dataDirectory,
    owner: { kind: "server" },
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
    ...(version < 18 && { binaries: binariesOf(version) }),
    say: console.error,
  });
  try {
    const host = encodeURIComponent(postgres.socketDirectory);
    const url = `postgresql:///postgres?host=${host}&port=${postgres.port}&user=postgres`;
    if ((await majorVersionAt(url)) !== version) throw new Error(`these are not the binaries of PostgreSQL ${version}`);
    const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
    const { status } = spawnSync(
      process.execPath,
      [vitest, "run", "--project=short", "--exclude", "test/embedded/**", "--reporter=dot", ...positionals],
      { cwd: root, env: { ...process.env, TEST_DATABASE_URL: url }, stdio: "inherit" },
    );
    return status === 0;
  } finally {
    await postgres.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

async function majorVersionAt(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query("select current_setting('server_version_num')::integer / 10000 as major");
    return rows[0].major;
  } finally {
    await client.end();
  }
}

function binariesOf(version: number): string {
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const name = `postgres-${version}-${process.platform}-${process.arch}`;
  if (!(name in optionalDependencies)) throw new Error(`there is no PostgreSQL ${version} for this platform`);
  return path.join(folder, "node_modules", name, "native");
}
