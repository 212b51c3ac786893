import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/** Fills a folder, unless it was already filled according to the same text. */
export async function installOnce(folder: string, text: string, fill: () => Promise<void>): Promise<void> {
  const mark = path.join(folder, "installed");
  const hash = createHash("sha256").update(text).digest("hex");
  if (existsSync(mark) && (await readFile(mark, "utf8")) === hash) return;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await fill();
  await writeFile(mark, hash);
}
