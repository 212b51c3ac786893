// Runs .ci/run in a small project of its own, with the real vitest and scripts/check.ts, but without npm.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { root } from "../support/repository.ts";

let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "ci-run-"));
  for (const file of [".ci", "scripts/check.ts"]) cpSync(join(root, file), join(project, file), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", scripts }));
  for (const name of suites) write(`${name}/good.test.ts`, testFile("true"));
  write("bin/npm", npm, 0o755);
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const others = ["console", "long", "browser", "foreign", "guides"];
const suites = ["unit", ...others];

const scripts = {
  check: "node scripts/check.ts",
  "check:lint": "test ! -e lint-fails",
  "check:types": "test ! -e types-fail",
  "check:tests": "vitest run --dir unit",
  test: "vitest run --dir unit",
  ...Object.fromEntries(others.map((name) => [`test:${name}`, `vitest run --dir ${name}`])),
};

/** Notes what is asked of it, and runs scripts as npm does. */
const npm = `#!/bin/sh
echo "$@" >> asked
test "$1" = ci && { test ! -e ci-fails; exit; }
test "$1" = run && shift
test "$1" = --silent && shift
script=$1; shift
test "$1" = --silent && shift
exec "${process.execPath}" --run "$script" "$@"
`;

function testFile(passes: string): string {
  return `import { expect, test } from "vitest";\ntest("a", () => expect(${passes}).toBe(true));\n`;
}

function write(file: string, content: string, mode?: number): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), content, { mode });
}

function run() {
  const { status, stdout, stderr } = spawnSync(join(project, ".ci/run"), {
    cwd: tmpdir(),
    encoding: "utf8",
    env: { PATH: `${join(project, "bin")}:${dirname(process.execPath)}:${process.env.PATH}`, CHROMIUM_PATH: "/none" },
  });
  const output = `${stdout}${stderr}`;
  return { status, lastLine: stdout.trimEnd().split("\n").at(-1), output };
}

test("everything runs once, and passes", () => {
  const { status, lastLine, output } = run();
  expect(lastLine, output).toBe("6 passed, 0 failed");
  expect(status).toBe(0);
  const asked = readFileSync(join(project, "asked"), "utf8");
  expect(asked.match(/^(ci|run --silent check|run \S+)/gm)).toEqual([
    "ci",
    "run --silent check",
    "run test",
    ...others.map((name) => `run test:${name}`),
  ]);
  expect(output).not.toContain("check:tests");
  expect(output.match(/^ok .*check:(lint|types)/gm)).toHaveLength(2);
});

test("each failure is counted, and the rest still runs", () => {
  write("ci-fails", "");
  write("lint-fails", "");
  write("types-fail", "");
  write("unit/bad.test.ts", testFile("false"));
  write("unit/syntax.test.ts", "test(");
  write(
    "browser/throws.test.ts",
    `${testFile("true")}import { beforeAll } from "vitest";\nbeforeAll(() => { throw 1; });`,
  );
  const { status, lastLine, output } = run();
  expect(lastLine, output).toBe("6 passed, 6 failed");
  expect(status).toBe(1);
  const end = output.slice(output.indexOf("failed: "));
  expect(end.match(/^failed: .*/gm)).toEqual([
    "failed: check:lint",
    "failed: check:types",
    "failed: unit/bad.test.ts > a",
    "failed: unit/syntax.test.ts",
    "failed: browser/throws.test.ts",
  ]);
  expect(end).toContain("  AssertionError: expected false to be true");
});

test("a file with a test that fails runs once more, and what passes then is named as flaky with how it failed", () => {
  write("long/flaky.test.ts", failsOnce("flaky"));
  write("browser/broken.test.ts", `${once("broken", "throw new Error('broken once')")}${testFile("true")}`);
  const { status, lastLine, output } = run();
  expect(lastLine, output).toBe("8 passed, 0 failed");
  expect(status).toBe(0);
  expect(output.slice(output.indexOf("flaky: ")).match(/^flaky: .*\n.*/gm)).toEqual([
    "flaky: long/flaky.test.ts > a\n  AssertionError: expected false to be true // Object.is equality",
    "flaky: browser/broken.test.ts\n  broken once",
  ]);
});

/** Does something in the first run only. */
function once(name: string, what: string): string {
  const file = JSON.stringify(join(project, `${name}.once`));
  return `import { existsSync, writeFileSync } from "node:fs";
if (!existsSync(${file})) { writeFileSync(${file}, ""); ${what}; }\n`;
}

/** What fails it stays in its process, as a database that a test has changed does. */
function failsOnce(name: string): string {
  return `let passes = true;\n${once(name, "passes = false")}${testFile("passes")}`;
}
