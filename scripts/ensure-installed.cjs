// Runs `npm ci` when what is installed does not match package-lock.json, so that `npm start` and `npm test` alone work
// on a fresh clone and after a pull. The scripts of package.json call it where a newcomer starts; the other commands need
// `npm ci` first.
//
// Old CommonJS without dependencies, because it runs on whatever Node came with npm. It writes to standard error only:
// the standard output belongs to the command that follows.

"use strict";

const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..");
// npm writes this file last, so an interrupted installation has none.
const installed = changedAt(path.join(root, "node_modules", ".package-lock.json"));
const wanted = changedAt(path.join(root, "package-lock.json"));

if (installed < wanted && isLink(path.join(root, "node_modules"))) {
  // npm ci would empty the folder of another tree, which may be in use.
  console.error("node_modules is a link to another folder and does not match package-lock.json: install there.");
  process.exitCode = 1;
} else if (installed < wanted) {
  console.error(`${installed ? "package-lock.json has changed" : "Nothing is installed yet"}: running npm ci.`);
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
  // Under npm, its own Node and script are known. The `node` on the PATH is then ours, which npm ci is about to remove.
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const [command, before] = npm && node ? [node, [npm]] : ["npm", []];
  const { status, error } = spawnSync(command, [...before, "ci", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (error) console.error(`npm ci did not start: ${error.message}`);
  return status === null ? 1 : status;
}
