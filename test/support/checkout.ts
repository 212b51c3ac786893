import { cp, mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeBuiltConsole } from "./built-console.ts";

const root = join(import.meta.dirname, "../..");

/** A copy of what serves, in a folder of its own, with a console beside it that looks like a built one. */
export async function makeCheckoutWithConsole(): Promise<{ folder: string; main: string }> {
  const folder = await mkdtemp(join(tmpdir(), "checkout-"));
  for (const part of ["src", "gen", "demo", "migrations", "package.json"]) {
    await cp(join(root, part), join(folder, part), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await writeBuiltConsole(join(folder, "console/dist"));
  return { folder, main: join(folder, "src/main.ts") };
}
