import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { openConsole } from "../../src/commands/console.ts";
import type { ConsoleSettings } from "../../src/console/settings.ts";

export const page =
  '<!doctype html><head><meta name="console-settings" content="{}" /><title>Authorizations</title></head><body></body>\n';
export const script = `console.log("${"one word after another, ".repeat(50)}");\n`;

/** A folder with what a build of the console looks like: a page, a script in three encodings, and a picture in one. */
export async function makeBuiltConsole(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "console-"));
  const assets = join(folder, "assets");
  await mkdir(assets);
  await writeFile(join(folder, "index.html"), page);
  await writeFile(join(folder, ".stamp"), "the stamp of a build");
  await writeFile(join(assets, "index-Ab_1-x.js"), script);
  await writeFile(join(assets, "index-Ab_1-x.js.br"), brotliCompressSync(script));
  await writeFile(join(assets, "index-Ab_1-x.js.gz"), gzipSync(script));
  await writeFile(join(assets, "icon-B--D36O_.svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  return folder;
}

/** Those of a server that was told nothing. */
export const plainSettings: ConsoleSettings = {
  title: "Authorizations",
  oidc: undefined,
  avatarOrigins: [],
  isReasonRequired: false,
  longestTokenSeconds: 31_622_400,
  mostRows: 1_000,
};

/** Its files as a server takes them. They are gone from the disk. */
export async function openBuiltConsole(settings = plainSettings) {
  const folder = await makeBuiltConsole();
  const files = await openConsole(settings, { warn: () => {} }, folder);
  await rm(folder, { recursive: true });
  return files;
}
