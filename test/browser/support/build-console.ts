import { spawnSync } from "node:child_process";
import path from "node:path";

/** Builds the console, unless what it is made of is as it was when it was built last. */
export function buildConsole(): void {
  const script = path.join(import.meta.dirname, "../../../scripts/build-console.cjs");
  const { stderr } = spawnSync(process.execPath, [script, "--if-needed"], { encoding: "utf8" });
  // The script lets nothing keep a service from starting; here an older console must not be taken for this one.
  if (/not built/.test(stderr)) throw new Error(stderr);
}
