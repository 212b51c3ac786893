import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** What `npm run build:console` has made. */
export type BuiltConsole = {
  readonly html: string;
  /** The files of assets/, with the hash of their content in their names, by name; compressed ones among them. */
  readonly assets: ReadonlyMap<string, Buffer>;
};

/** Reads all of it, so that it can be built anew while it is served. Undefined when there is none. */
export async function readBuiltConsole(folder: string): Promise<BuiltConsole | undefined> {
  const html = await readFile(join(folder, "index.html"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (html === undefined) return undefined;
  const assets = join(folder, "assets");
  const names = await readdir(assets);
  const files = names.map(async (name) => [name, await readFile(join(assets, name))] as const);
  return { html, assets: new Map(await Promise.all(files)) };
}
