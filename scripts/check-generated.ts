// Fails when gen/ is not what `npm run generate` would write, and lists the files that differ.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const fresh = mkdtempSync(join(tmpdir(), "generated-"));
try {
  // --run puts the folder of buf and its plugin on the PATH.
  execFileSync(process.execPath, ["--run", "generate", "--", "-o", fresh], { cwd: root, stdio: "inherit" });
  const differences = compareFolders(join(root, "gen"), join(fresh, "gen"));
  for (const difference of differences) console.error(difference);
  if (differences.length) {
    console.error("Run npm run generate.");
    process.exitCode = 1;
  }
} finally {
  rmSync(fresh, { recursive: true });
}

// One line for each file that is not the same in both folders.
function compareFolders(committed: string, fresh: string): string[] {
  const old = filesIn(committed);
  const wanted = filesIn(fresh);
  return [...new Set([...old, ...wanted])].sort().flatMap((path) => {
    if (!wanted.includes(path)) return [`gen/${path} should not be there`];
    if (!old.includes(path)) return [`gen/${path} is missing`];
    return readFileSync(join(committed, path)).equals(readFileSync(join(fresh, path))) ? [] : [`gen/${path} differs`];
  });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
