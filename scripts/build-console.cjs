// Builds the console into console/dist. `npm start` calls it with --if-needed. It then builds only if the content of
// the sources has changed, and a failure doesn't keep the service from starting.
//
// Old CommonJS without dependencies, because it runs on any Node that came with npm. It writes to standard error only:
// the standard output belongs to the command that follows.

"use strict";

const { spawnSync } = require("node:child_process");
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..");
const folder = path.join(root, "console", "dist");
const madeOf = ["console", "client", "package-lock.json"];
const notOfIt = ["dist", "node_modules", "test"];

const ifNeeded = process.argv.includes("--if-needed");

if (!ifNeeded || process.env.CONSOLE !== "false") {
  try {
    const stamp = stampOf(madeOf);
    if (!ifNeeded || stampThere() !== stamp) build(stamp);
  } catch (error) {
    console.error(`The console was not built: ${error.message}`);
    if (ifNeeded) console.error("The service starts without this build; `npm run build:console` tries it again.");
    else process.exitCode = 1;
  }
}

function build(stamp) {
  console.error("Building the console.");
  // Not in the system's temporary folder, which may be on another disk, and only its creator could read the files.
  const fresh = path.join(root, ".cache", `console-${process.pid}-${Date.now()}`);
  fs.mkdirSync(fresh, { recursive: true });
  try {
    runVite(fresh);
    fs.writeFileSync(path.join(fresh, ".stamp"), stamp);
    // Another process may have built the same in the meantime.
    if (!ifNeeded || stampThere() !== stamp) putInPlace(fresh);
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true });
  }
}

function runVite(outDir) {
  const vite = path.join(root, "node_modules", "vite", "bin", "vite.js");
  const options = ["--outDir", outDir, "--emptyOutDir", "--logLevel", "error"];
  // The project's own Node first, which may have been installed a moment ago.
  const PATH = [path.join(root, "node_modules", ".bin"), process.env.PATH].join(path.delimiter);
  const { status, error } = spawnSync("node", [vite, "build", "console", ...options], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    env: { ...process.env, PATH, NODE_ENV: "production" },
  });
  if (error) throw error;
  if (status !== 0) throw new Error("vite build failed.");
}

/** Renames the folder, so no process ever sees half of it. */
function putInPlace(fresh) {
  const previous = `${fresh}-previous`;
  try {
    fs.renameSync(folder, previous);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  try {
    fs.renameSync(fresh, folder);
  } catch (error) {
    // Another process has put its build there in between. It is just as good.
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
  } finally {
    fs.rmSync(previous, { recursive: true, force: true });
  }
}

function stampThere() {
  try {
    return fs.readFileSync(path.join(folder, ".stamp"), "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

function stampOf(places) {
  const hash = createHash("sha256");
  for (const file of places.flatMap(filesAt)) {
    const content = fs.readFileSync(path.join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

function filesAt(place) {
  if (!fs.statSync(path.join(root, place)).isDirectory()) return [place];
  const names = fs.readdirSync(path.join(root, place)).sort();
  return names.filter((name) => !notOfIt.includes(name)).flatMap((name) => filesAt(path.join(place, name)));
}
