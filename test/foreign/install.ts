import { execFile, spawnSync } from "node:child_process";
import { cp, mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { installOnce } from "../support/install-once.ts";
import { pageOf } from "../support/page.ts";
import { root } from "../support/repository.ts";
import { cache, env, go, node, python, sources } from "./places.ts";

const run = promisify(execFile);

/** Installs the clients with the package managers of their languages, unless exactly these are already there. */
export async function setup(): Promise<void> {
  requireToolchains();
  await mkdir(cache, { recursive: true });
  await Promise.all([installPython(), installNode().then(installGo)]);
}

/** A missing toolchain is a failure: otherwise, nothing would be tested, and no one would notice. */
function requireToolchains(): void {
  const missing = [
    ["go", "version", "Go from https://go.dev/dl"],
    ["python3", "--version", "Python 3.10 or newer"],
  ].filter(([command = "", argument = ""]) => spawnSync(command, [argument]).status !== 0);
  if (missing.length > 0)
    throw new Error(`Install ${missing.map(([, , what]) => what).join(" and ")}, then run this again.`);
}

async function installPython(): Promise<void> {
  const requirements = await readFile(path.join(sources, "python/requirements.txt"), "utf8");
  await installOnce(python.folder, requirements, async () => {
    await run("python3", ["-m", "venv", path.join(python.folder, "venv")]);
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"];
    await run(python.program, [...pip, path.join(sources, "python/requirements.txt")]);
  });
}

async function installNode(): Promise<void> {
  const lock = await readFile(path.join(sources, "node/package-lock.json"), "utf8");
  await installOnce(node.folder, lock, async () => {
    for (const name of ["package.json", "package-lock.json"])
      await cp(path.join(sources, "node", name), path.join(node.folder, name));
    await npm(node.folder, "ci", "--no-audit", "--no-fund", "--loglevel=error");
  });
  // Programs find their packages beside them.
  for (const name of ["calls.mjs", "connect-caller.mjs", "nice-grpc-caller.mjs", "watch.mjs"])
    await cp(path.join(sources, "node", name), path.join(node.folder, name));
  // Our own client is packed each time, because it changes with the code.
  const [packed] = JSON.parse(
    await npm(path.join(root, "client"), "pack", "--json", "--pack-destination", node.folder),
  );
  const installed = path.join(node.folder, "node_modules/@authorization-service/client");
  await rm(installed, { recursive: true, force: true });
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", path.join(node.folder, packed.filename), "-C", installed, "--strip-components=1"]);
}

/** Check workflows and the chart. */
const checkers = [
  "go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12",
  "go install helm.sh/helm/v4/cmd/helm@v4.3.1",
];

/** The tools that the page about Go installs, and those that only tests need. */
async function installGo(): Promise<void> {
  const commands = pageOf("call-from-go")
    .commands()
    .filter((command) => command.startsWith("go install "))
    .concat(checkers);
  await installOnce(go.bin, commands.join("\n"), async () => {
    for (const command of commands) await run("sh", ["-c", command], { env });
  });
}

// Under npm, its own Node and script are known. The `node` on the PATH is then ours, which is not the one npm is for.
async function npm(folder: string, ...args: string[]): Promise<string> {
  const { npm_execpath: script, npm_node_execpath: program } = process.env;
  const [command, before] = script && program ? [program, [script]] : ["npm", []];
  return (await run(command, [...before, ...args], { cwd: folder })).stdout;
}
