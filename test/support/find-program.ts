import { accessSync, constants } from "node:fs";
import path from "node:path";

/**
 * The program that a variable of the environment names, or else the first with one of these names on PATH or in more folders.
 * Throws with how to get one.
 */
export function findProgram(variable: string, names: readonly string[], missing: string, ...more: string[]): string {
  const given = process.env[variable];
  if (given) {
    if (isExecutable(given)) return given;
    throw new Error(`${variable} names no program: ${given}`);
  }
  const folders = [...(process.env.PATH ?? "").split(path.delimiter).filter(Boolean), ...more];
  const found = folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(isExecutable);
  if (found !== undefined) return found;
  throw new Error(`${missing}; ${variable} names one elsewhere.`);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
