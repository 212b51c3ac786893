import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { objectsIn } from "../support/command.ts";

const log = new URL("../../src/observability/log.ts", import.meta.url).href;

/** Runs a program whose `log` and `lost` are those of openLog; standard error is read only when `read` is called. */
function start(program: string, stderr: number | "pipe" = "pipe") {
  const source = `import { openLog } from ${JSON.stringify(log)};\nconst { log, lost } = openLog("info");\n${program}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], { stdio: ["ignore", "pipe", stderr] });
  const text = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    text.stdout += chunk;
  });
  return {
    text,
    child,
    read() {
      child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
        text.stderr += chunk;
      });
    },
  };
}

async function linesOf(program: string): Promise<string[]> {
  const { child, text, read } = start(program);
  read();
  await once(child, "close");
  return text.stderr.split("\n").filter((line) => line.startsWith("{"));
}

describe("every line is written", () => {
  test.each([
    ["when the process ends by itself", ""],
    ["when it exits", "process.exit(1);"],
    ["when it crashes", "throw new Error('planted');"],
    ["when a promise is rejected and nobody listens", "Promise.reject(new Error('planted'));"],
  ])("%s", async (_how, end) => {
    const lines = await linesOf(`for (let n = 0; n < 500; n += 1) log.info({ n }, "line");\n${end}`);
    // Those that were on their way at the end may come behind others.
    const numbers = lines.map((line) => JSON.parse(line).n).sort((a, b) => a - b);
    expect(numbers).toEqual([...Array(500).keys()]);
  });

  test("soon, also when there are few", async () => {
    const { child, text, read } = start('log.info("only"); setInterval(() => {}, 1_000);');
    read();
    while (!text.stderr.includes("only")) await once(child.stderr ?? child, "data");
    child.kill("SIGKILL");
    await once(child, "close");
  });
});

test("What libraries and Node itself write to standard error becomes lines of the log", async () => {
  const { child, text, read } = start(`
    import { logConsole } from ${JSON.stringify(log)};
    logConsole(log);
    console.error("from a library", new Error("planted"));
    process.emitWarning("from Node");`);
  read();
  await once(child, "close");
  expect(objectsIn(text.stderr).map(({ level, msg, err }) => [level, msg, err?.message])).toEqual([
    [40, "from a library", "planted"],
    [40, "from Node", "from Node"],
  ]);
});

test("A disk that is full costs lines and nothing else", async () => {
  const { child, text } = start(
    `
    log.info("one");
    setTimeout(() => log.info("two"), 150);
    const looking = setInterval(() => lost() > 0 && clearInterval(looking), 10);`,
    openSync("/dev/full", "w"),
  );
  // It ends once a line is lost.
  const [code] = await once(child, "close");
  expect([text.stdout, code]).toEqual(["", 0]);
});

test("If nothing reads the log, the process continues, keeps a limited number of lines, and counts the others", async () => {
  const { child, text, read } = start(`
    const text = "x".repeat(1_000);
    for (let n = 0; n < 20_000; n += 1) log.info({ n, text }, "line");
    console.log(JSON.stringify({ lost: lost() }));
    setTimeout(() => {}, 200);`);
  await once(child.stdout ?? child, "data");
  const { lost } = JSON.parse(text.stdout);
  expect(lost).toBeGreaterThan(10_000);
  read();
  await once(child, "close");
  expect(text.stderr.split("\n").filter(Boolean).length + lost).toBe(20_000);
});

test.each([
  ["has gone", "gone"],
  ["reads nothing", "silent"],
])("A process ends although the reader of its log %s", async (_what, reader) => {
  const { child, text } = start(`
    process.once("SIGTERM", () => {
      for (let n = 0; n < 2_000; n += 1) log.info({ n, text: "x".repeat(1_000) }, "line");
      process.exit(3);
    });
    console.log("started");
    setInterval(() => {}, 1_000);`);
  if (!text.stdout.includes("started")) await once(child.stdout ?? child, "data");
  if (reader === "gone") child.stderr?.destroy();
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([3, null]);
});
