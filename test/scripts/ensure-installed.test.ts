// Runs the script in a tree of its own, with an npm that only pretends.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ensure-installed-"));
  const script = "scripts/ensure-installed.cjs";
  cpSync(join(import.meta.dirname, "../..", script), join(root, script));
  write("npm", `#!/bin/sh\necho "$@" >> asked\ntest ! -e "${root}/fails"\n`, 0o755);
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, content: string, mode?: number): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), content, { mode });
}

/** Written the given number of seconds after all others. */
function writeAt(seconds: number, file: string): void {
  write(file, "{}");
  utimesSync(join(root, file), seconds, seconds);
}

function ensure(...args: string[]) {
  const { npm_execpath: _, npm_node_execpath: __, ...env } = process.env;
  const options = { cwd: tmpdir(), encoding: "utf8", env: { ...env, PATH: `${root}:${env.PATH}` } } as const;
  const script = join(root, "scripts/ensure-installed.cjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], options);
  return { status, stdout, stderr };
}

function asked(folder: string): string | undefined {
  const file = join(root, folder, "asked");
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

describe.each([
  { folder: "", args: [], command: "ci --loglevel=error\n", where: "", at: "" },
  { folder: "docs", args: ["docs"], command: "ci --loglevel=error --ignore-scripts\n", where: " in docs", at: "docs/" },
])("The package in the folder '$folder'", ({ folder, args, command, where, at }) => {
  const installed = join(folder, "node_modules/.package-lock.json");
  const wanted = join(folder, "package-lock.json");

  test.each([
    ["is installed when it is missing", [], `Nothing is installed${where} yet`],
    ["is installed again when it is older than its lockfile", [installed], `${at}package-lock.json has changed`],
  ])("%s", (_what, older, why) => {
    for (const file of older) writeAt(1, file);
    writeAt(2, wanted);
    expect(ensure(...args)).toEqual({ status: 0, stdout: "", stderr: `${why}: running npm ci${where}.\n` });
    expect(asked(folder)).toBe(command);
  });

  test("is left alone when it is as new as its lockfile", () => {
    writeAt(2, installed);
    writeAt(2, wanted);
    expect(ensure(...args)).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(asked(folder)).toBeUndefined();
  });

  test("fails the command when npm fails", () => {
    writeAt(1, wanted);
    write("fails", "");
    expect(ensure(...args).status).toBe(1);
  });
});
