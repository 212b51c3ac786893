// Runs the script as `npm start` does, in a tree of its own with a build tool that only pretends.

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const script = join(import.meta.dirname, "../../scripts/build-console.cjs");

/** Keeps count, waits for as many as are to build at once, and makes a page of what the console says. */
const vite = `
  const fs = require("node:fs");
  fs.mkdirSync("builds", { recursive: true });
  fs.writeFileSync("builds/" + process.pid, process.env.NODE_ENV);
  console.log("this is vite");
  if (fs.readFileSync("console/src/main.tsx", "utf8").includes("syntax error")) process.exit(1);
  const outDir = process.argv[process.argv.indexOf("--outDir") + 1];
  const finish = () => {
    if (fs.readdirSync("builds").length < Number(process.env.AT_ONCE || 1)) return setTimeout(finish, 20);
    fs.writeFileSync(outDir + "/index.html", fs.readFileSync("console/src/main.tsx"));
  };
  finish();`;

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "build-console-"));
  await mkdir(join(root, "scripts"));
  await cp(script, join(root, "scripts/build-console.cjs"));
  await write("node_modules/vite/bin/vite.js", vite);
  await write("console/src/main.tsx", "first");
  await write("console/index.html", "<html>");
  await write("console/test/main.test.tsx", "");
  await write("client/index.js", "");
  await write("package-lock.json", "{}");
});
afterEach(() => rm(root, { recursive: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), text);
}

type Ran = { code: number; stdout: string; stderr: string };

function run(args: string[] = [], env: Record<string, string> = {}): Promise<Ran> {
  const command = [join(root, "scripts/build-console.cjs"), ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

const ifNeeded = (env?: Record<string, string>) => run(["--if-needed"], env);
const builds = async () => (await readdir(join(root, "builds")).catch(() => [])).length;
const built = () => readFile(join(root, "console/dist/index.html"), "utf8");

describe("Before npm start", () => {
  test("the console is built when it is not, and nothing is done when nothing has changed", async () => {
    expect(await ifNeeded()).toMatchObject({ code: 0, stderr: expect.stringContaining("Building the console.") });
    expect(await built()).toBe("first");
    expect(await ifNeeded()).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await builds()).toBe(1);
  });

  test.each<[what: string, builds: number, change: () => Promise<void>]>([
    ["a source changes", 2, () => write("console/src/main.tsx", "second")],
    ["a source is added", 2, () => write("console/src/more.ts", "")],
    ["a source has another name", 2, () => rename(join(root, "console/index.html"), join(root, "console/other.html"))],
    ["a source is removed", 2, () => rm(join(root, "console/index.html"))],
    ["the client changes", 2, () => write("client/index.js", "second")],
    ["packages change", 2, () => write("package-lock.json", '{"a":1}')],
    ["it is removed", 2, () => rm(join(root, "console/dist"), { recursive: true })],
    ["only times change, as by a checkout", 1, () => utimes(join(root, "console/src/main.tsx"), 0, 0)],
    ["only a test changes", 1, () => write("console/test/main.test.tsx", "second")],
    ["only something else changes", 1, () => write("src/server.ts", "second")],
  ])("when %s, it has been built %i times, and then not again", async (_what, times, change) => {
    await ifNeeded();
    await change();
    await ifNeeded();
    expect(await builds()).toBe(times);
    await ifNeeded();
    expect(await builds()).toBe(times);
    expect(await built()).toBe(await readFile(join(root, "console/src/main.tsx"), "utf8"));
  });

  test("it is not built where it is left out", async () => {
    expect(await ifNeeded({ CONSOLE: "false" })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await builds()).toBe(0);
  });

  test("a build that fails is reported, keeps no one from starting, and leaves the last one", async () => {
    await ifNeeded();
    await write("console/src/main.tsx", "syntax error");
    const { code, stdout, stderr } = await ifNeeded();
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("The console was not built: vite build failed.");
    expect(stderr).toContain("npm run build:console");
    expect(await built()).toBe("first");
    expect(await readdir(join(root, ".cache"))).toEqual([]);
  });

  test("two starts at once leave one whole build and nothing beside it", async () => {
    const both = await Promise.all([ifNeeded({ AT_ONCE: "2" }), ifNeeded({ AT_ONCE: "2" })]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(await builds()).toBe(2);
    expect(await built()).toBe("first");
    expect(await readdir(join(root, ".cache"))).toEqual([]);
    await ifNeeded();
    expect(await builds()).toBe(2);
  });
});

test("npm run build:console builds whether it is needed or not, for production, and writes nothing to standard output", async () => {
  for (const times of [1, 2]) {
    expect(await run([], { CONSOLE: "false" })).toMatchObject({ code: 0, stdout: "" });
    expect(await builds()).toBe(times);
  }
  const [first = ""] = await readdir(join(root, "builds"));
  expect(await readFile(join(root, "builds", first), "utf8")).toBe("production");
});
