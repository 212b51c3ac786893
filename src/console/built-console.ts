import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The output of `npm run build:console`. */
export type BuiltConsole = Readonly<NonNullable<Awaited<ReturnType<typeof readBuiltConsole>>>>;

/** Reads all files, so the console can be rebuilt while it is served. Undefined if it is not built. */
export async function readBuiltConsole(folder: string) {
  const html = await readFile(join(folder, "index.html"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (html === undefined) return undefined;
  const assets = join(folder, "assets");
  const names = await readdir(assets);
  const files = names.map(async (name) => [name, await readFile(join(assets, name))] as const);
  return {
    html,
    /** The files of assets/ by name, including compressed ones. Names contain the hash of the content. */
    assets: new Map(await Promise.all(files)),
  };
}
