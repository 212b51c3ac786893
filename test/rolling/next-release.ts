import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/**
 * Puts an invented next release beside this code, where it finds the installed packages: the same with one more
 * migration. Gives its main file. When there is a release, the code of that one can take the place of this code here.
 */
export async function makeNextRelease(): Promise<string> {
  const folder = join(root, ".cache", "next-release");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const name of ["src", "gen", "demo", "migrations", "package.json"]) {
    await cp(join(root, name), join(folder, name), { recursive: true });
  }
  await cp(join(import.meta.dirname, "next-release"), join(folder, "migrations"), { recursive: true });
  return join(folder, "src/main.ts");
}
