import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { readBuiltConsole } from "../console/built-console.ts";
import { type ConsoleFiles, consoleFiles } from "../console/console-files.ts";
import type { ConsoleSettings } from "../console/settings.ts";

/** The output folder of `npm run build:console`. */
const folderOfBuild = join(import.meta.dirname, "../../console/dist");

/**
 * Reads the console to serve. Undefined if it is switched off or not built, in which case everything else is still
 * served.
 */
export async function openConsole(
  settings: ConsoleSettings | undefined,
  log: Pick<FastifyBaseLogger, "warn">,
  folder = folderOfBuild,
): Promise<ConsoleFiles | undefined> {
  if (settings === undefined) return undefined;
  const built = await readBuiltConsole(folder);
  if (built === undefined) {
    log.warn("the console is not built, so it is not served: run `npm run build:console`, or set CONSOLE=false");
    return undefined;
  }
  return consoleFiles(built, settings);
}
