import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { openConsole } from "../../src/commands/console.ts";

export const page =
  '<!doctype html><head><meta name="console-settings" content="{}" /><title>Authorizations</title></head><body></body>\n';
export const script = `console.log("${"one word after another, ".repeat(50)}");\n`;

/** Writes what a build of the console looks like: a page, a script in three encodings, and a picture in one. */
export async function writeBuiltConsole(folder: string, html = page): Promise<void> {
  const assets = join(folder, "assets");
  await mkdir(assets, { recursive: true });
  await writeFile(join(folder, "index.html"), html);
  await writeFile(join(folder, ".stamp"), "the stamp of a build");
  await writeFile(join(assets, "index-Ab_1-x.js"), script);
  await writeFile(join(assets, "index-Ab_1-x.js.br"), brotliCompressSync(script));
  await writeFile(join(assets, "index-Ab_1-x.js.gz"), gzipSync(script));
  await writeFile(join(assets, "icon-B--D36O_.svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>');
}

/** The same in a folder of its own. */
export async function makeBuiltConsole(html?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "console-"));
  await writeBuiltConsole(folder, html);
  return folder;
}

/** Its files as a server takes them, with settings that make no difference. */
export async function openBuiltConsole() {
  const folder = await makeBuiltConsole();
  const rest = { oidc: undefined, avatarOrigins: [], isReasonRequired: false, longestTokenSeconds: 31_622_400 };
  const files = await openConsole({ title: "Authorizations", ...rest }, { warn: () => {} }, folder);
  await rm(folder, { recursive: true });
  return files;
}
