import { readFileSync } from "node:fs";
import path from "node:path";

/** The folder of the repository. */
export const root = path.join(import.meta.dirname, "../..");

/** The text of one of its files. */
export function read(file: string): string {
  return readFileSync(path.join(root, file), "utf8");
}
