import { accessSync, constants } from "node:fs";
import path from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** The Chromium to test with: CHROMIUM_PATH, or the first on PATH. Throws with how to get one. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string {
  if (env.CHROMIUM_PATH) {
    if (isExecutable(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH;
    throw new Error(`CHROMIUM_PATH names no program: ${env.CHROMIUM_PATH}`);
  }
  const folders = (env.PATH ?? "").split(path.delimiter).filter(Boolean);
  const found = folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(isExecutable);
  if (found !== undefined) return found;
  throw new Error(
    "There is no Chromium on PATH. `apt-get install chromium` brings one on Debian; CHROMIUM_PATH names one elsewhere.",
  );
}

/** The same pages on every machine: nothing of its own is fetched, and no sandbox is needed for pages of ours. */
export const chromiumArguments = [
  "--no-sandbox",
  "--disable-gpu",
  // Containers have little shared memory.
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--force-color-profile=srgb",
  "--font-render-hinting=none",
];

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
