import { execFile } from "node:child_process";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const client = path.join(import.meta.dirname, "..");

/** A project outside of this repository that has installed the packed client and Connect, and nothing else. */
export type Project = {
  readonly folder: string;
  /** The files of the tarball. */
  readonly packed: readonly string[];
  /** The names of all installed packages. */
  readonly installed: readonly string[];
  /** Runs a program of the project and resolves to its standard output. */
  node(program: string, args?: readonly string[], env?: Record<string, string>): Promise<string>;
};

/**
 * Makes the project in an empty folder. Its programs are copies of examples and test/project, in folders of these names.
 */
export async function createProject(folder: string): Promise<Project> {
  const [packed] = JSON.parse(await npm(client, "pack", "--json", "--pack-destination", folder));
  const { dependencies, devDependencies } = JSON.parse(await readFile(path.join(client, "../package.json"), "utf8"));
  const versions: Record<string, string> = { ...dependencies, ...devDependencies };
  // Nobody asks for @bufbuild/protobuf: it has to come with what needs it. Only which version is not left to the day.
  const manifest = {
    private: true,
    type: "module",
    overrides: { "@bufbuild/protobuf": versions["@bufbuild/protobuf"] },
  };
  await writeFile(path.join(folder, "package.json"), JSON.stringify(manifest));
  const wanted = ["@connectrpc/connect", "@connectrpc/connect-node", "@connectrpc/connect-web", "@types/node"];
  const packages = wanted.map((name) => `${name}@${versions[name]}`);
  await npm(folder, "install", "--no-audit", "--no-fund", "--loglevel=error", `./${packed.filename}`, ...packages);
  for (const programs of ["examples", "test/project"]) {
    await cp(path.join(client, programs), path.join(folder, programs), { recursive: true });
  }

  return {
    folder,
    packed: packed.files.map((file: { path: string }) => file.path),
    installed: await packagesIn(path.join(folder, "node_modules")),
    async node(program, args = [], env = {}) {
      const options = { cwd: folder, env: { PATH: process.env.PATH ?? "", ...env } };
      return (await run(process.execPath, [path.join(folder, program), ...args], options)).stdout;
    },
  };
}

// Under npm, its own Node and script are known. The `node` on the PATH is then ours, which is not the one npm is for.
async function npm(folder: string, ...args: string[]): Promise<string> {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  const [command, before] = script && node ? [node, [script]] : ["npm", []];
  return (await run(command, [...before, ...args], { cwd: folder })).stdout;
}

async function packagesIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith("."));
  const nested = names.map(async (name) =>
    name.startsWith("@") ? (await readdir(path.join(folder, name))).map((inner) => `${name}/${inner}`) : [name],
  );
  return (await Promise.all(nested)).flat();
}
