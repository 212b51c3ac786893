// Runs every check:* script of package.json, in the order they are written there, and shows what a failing one said.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const checks = Object.keys(scripts).filter((name) => name.startsWith("check:"));

const failed = checks.filter((name) => !passes(name));
console.log(failed.length ? `\nFailed: ${failed.join(", ")}` : `\nAll ${checks.length} checks passed.`);
process.exitCode = failed.length ? 1 : 0;

// With `node --run`, which starts in a tenth of the time that npm takes.
function passes(name: string): boolean {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--run", name], { cwd: root, encoding: "utf8" });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok    " : "FAILED"}  ${name.padEnd(16)} ${seconds} s`);
  if (status !== 0) console.log(`${stdout}${stderr}`);
  return status === 0;
}
