// Runs `npm ci` when what is installed does not match package-lock.json, so that `npm start` and `npm test` work on a
// fresh clone and after a pull. The scripts of package.json call it where a newcomer starts; the other commands need
// `npm ci` first.
//
//   node scripts/ensure-installed.cjs            this package
//   node scripts/ensure-installed.cjs docs       the package in a folder, without running install scripts
//
// Old CommonJS without dependencies, because it runs on any Node that came with npm. It writes to standard error only:
// the standard output belongs to the command that follows.

"use strict";

const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const folder = process.argv[2] || "";
const root = path.join(__dirname, "..", folder);
const lockfile = path.join(folder, "package-lock.json");
const modules = path.join(folder, "node_modules");
// npm writes this file last, so an interrupted installation has none.
const installed = changedAt(path.join(root, "node_modules", ".package-lock.json"));
const wanted = changedAt(path.join(root, "package-lock.json"));

if (wanted === 0) {
  console.error(`There is no ${lockfile}.`);
  process.exitCode = 1;
} else if (installed < wanted && isLink(path.join(root, "node_modules"))) {
  // npm ci would empty the folder of another tree, which may be in use.
  console.error(`${modules} is a link to another folder and does not match ${lockfile}: install there.`);
  process.exitCode = 1;
} else if (installed < wanted) {
  const where = folder ? ` in ${folder}` : "";
  const why = installed ? `${lockfile} has changed` : `Nothing is installed${where} yet`;
  console.error(`${why}: running npm ci${where}.`);
  process.exitCode = npmCi();
}

function isLink(file) {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function changedAt(file) {
  try {
    return fs.statSync(file).mtimeMs;
  } catch (error) {
    if (error.code === "ENOENT") return 0;
    throw error;
  }
}

function npmCi() {
  // npm passes the paths of its own Node and script. The `node` on the PATH is this project's, which npm ci is about to
  // remove.
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const [command, before] = npm && node ? [node, [npm]] : ["npm", []];
  const options = ["--loglevel=error", ...(folder ? ["--ignore-scripts"] : [])];
  const { status, error } = spawnSync(command, [...before, "ci", ...options], { cwd: root, stdio: ["ignore", 2, 2] });
  if (error) console.error(`npm ci did not start: ${error.message}`);
  return status === null ? 1 : status;
}
