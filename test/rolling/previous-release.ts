import { execFile } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** The last release: a new one is named here when it is out. */
export const previousRelease = { version: "0.1.0", commit: "4257e5d2285b42c0083fe47460b26d7a7ba14456" };

const root = join(import.meta.dirname, "../..");

/**
 * Puts the code of the last release beside ours, where it finds the installed packages, and gives its main file.
 * Fails in a copy of the repository that lacks its history.
 */
export async function unpackPreviousRelease(): Promise<string> {
  const folder = join(root, ".cache", `release-${previousRelease.version}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const archive = join(folder, "code.tar");
  const run = promisify(execFile);
  await run(
    "git",
    ["archive", "--output", archive, previousRelease.commit, "src", "gen", "demo", "migrations", "package.json"],
    {
      cwd: root,
    },
  );
  await run("tar", ["-xf", archive], { cwd: folder });
  return join(folder, "src/main.ts");
}
