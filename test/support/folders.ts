import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** An empty folder for all tests of a file. It is removed after them. */
export async function folderOfTests(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
