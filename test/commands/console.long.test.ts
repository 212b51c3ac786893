import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { openConsole } from "../../src/commands/console.ts";
import { makeBuiltConsole, plainSettings } from "../support/built-console.ts";

const log = { warn: vi.fn() };
const folders: string[] = [];

afterEach(async () => {
  log.warn.mockClear();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function built(): Promise<string> {
  const folder = await makeBuiltConsole();
  folders.push(folder);
  return folder;
}

test("a console that was not built is not served, and the log says what builds it", async () => {
  const folder = await built();
  await rm(folder, { recursive: true });
  expect(await openConsole(plainSettings, log, folder)).toBeUndefined();
  expect(log.warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("npm run build:console"));
});

test("a console that is left out is not even looked for", async () => {
  expect(await openConsole(undefined, log, await built())).toBeUndefined();
  expect(log.warn).not.toHaveBeenCalled();
});

test("a page that cannot be read is no page that is not there", async () => {
  const folder = await built();
  await rm(join(folder, "index.html"));
  await writeFile(join(folder, "none"), "");
  await expect(openConsole(plainSettings, log, join(folder, "none"))).rejects.toThrow("ENOTDIR");
});
