// Connect's own conformance suite against this service's server: npm run test:conformance
//
//   npm run test:conformance -- --library     the same against Connect's library alone, for comparison
//   npm run test:conformance -- --verbose     what else the suite's runner takes, such as --run PATTERN or --trace

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/repository.ts";

const version = "v1.0.7";
const folder = join(root, ".cache/conformance", version);

const args = process.argv.slice(2);
const library = args.includes("--library") ? ["--library"] : [];
requireGo();
const runner = installRunner();
const messages = describeMessages();
const server = [process.execPath, join(import.meta.dirname, "server.ts"), messages, ...library];
// The runner gives a server ten seconds to start.
const options = ["--max-servers", "1", "--mode", "server", "--conf", join(import.meta.dirname, "service.yaml")];
if (library.length === 0) options.push("--known-failing", `@${join(import.meta.dirname, "known-failing.txt")}`);
const { status } = spawnSync(runner, [...options, ...args.filter((arg) => arg !== "--library"), "--", ...server], {
  cwd: root,
  stdio: "inherit",
});
process.exitCode = status ?? 1;

function requireGo(): void {
  const { error } = spawnSync("go", ["version"]);
  if (error === undefined) return;
  console.error("The conformance suite is written in Go: install it from https://go.dev/dl, then run this again.");
  process.exit(1);
}

function installRunner(): string {
  const program = join(folder, "connectconformance");
  if (!existsSync(program)) {
    const source = `connectrpc.com/conformance/cmd/connectconformance@${version}`;
    execFileSync("go", ["install", source], { env: { ...process.env, GOBIN: folder }, stdio: "inherit" });
  }
  return program;
}

/** Compiles the suite's own .proto files, which come with its source. */
function describeMessages(): string {
  const file = join(folder, "messages.binpb");
  if (!existsSync(file)) {
    const module = ["mod", "download", "-json", `connectrpc.com/conformance@${version}`];
    const { Dir } = JSON.parse(execFileSync("go", module, { cwd: folder, encoding: "utf8" }));
    mkdirSync(folder, { recursive: true });
    execFileSync("buf", ["build", join(Dir, "proto"), "-o", file], { stdio: "inherit" });
  }
  return file;
}
