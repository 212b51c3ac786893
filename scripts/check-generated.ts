// Fails if gen/, client/gen/ or docs/reference/rpc/ is not what `npm run generate` would write, and lists the files that differ.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const fresh = mkdtempSync(join(tmpdir(), "generated-"));
try {
  // --run puts the folder of buf and its plugin on the PATH.
  execFileSync(process.execPath, ["--run", "generate", "--", "-o", fresh], { cwd: root, stdio: "inherit" });
  const differences = ["gen", "client/gen", "docs/reference/rpc"].flatMap(compareFolders);
  for (const difference of differences) console.error(difference);
  if (differences.length) {
    console.error("Run npm run generate.");
    process.exitCode = 1;
  }
} finally {
  rmSync(fresh, { recursive: true });
}

// One line for each file that differs between the committed folder and the fresh one.
function compareFolders(folder: string): string[] {
  const old = filesIn(join(root, folder));
  const wanted = filesIn(join(fresh, folder));
  return [...new Set([...old, ...wanted])].sort().flatMap((file) => {
    const path = join(folder, file);
    if (!wanted.includes(file)) return [`${path} should not be there`];
    if (!old.includes(file)) return [`${path} is missing`];
    return readFileSync(join(root, path)).equals(readFileSync(join(fresh, path))) ? [] : [`${path} differs`];
  });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
