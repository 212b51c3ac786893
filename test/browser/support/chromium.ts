import { findProgram } from "../../support/find-program.ts";

/** The Chromium to test with: CHROMIUM_PATH, or the first on PATH. Throws with how to get one. */
export function findChromium(): string {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
  const missing = "There is no Chromium on PATH. `apt-get install chromium` brings one on Debian";
  return findProgram("CHROMIUM_PATH", names, missing);
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
