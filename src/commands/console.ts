import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { readBuiltConsole } from "../console/built-console.ts";
import { type ConsoleFiles, consoleFiles } from "../console/console-files.ts";
import type { ConsoleSettings } from "../console/settings.ts";
import { CommandError } from "./command-error.ts";

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
  const files = consoleFiles(built, settings);
  if (files !== undefined) return files;
  throw new CommandError(
    `The console cannot be served: ${join(folder, "index.html")} has no <meta name="console-settings" content="{}">. ` +
      "Run `npm run build:console` to build it again.",
  );
}
