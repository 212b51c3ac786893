// Compares the service with the in-memory model on random cases, for as long as it is told to.
//
//   npm run oracle -- --cases 10000 --seed 1     several databases at once; a case that fails is printed shrunk
//   npm run oracle -- --replay case.json         a case that was printed

import { randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { runDatabaseWorkers } from "../support/database-workers.ts";
import { differenceOf, explore } from "./explore.ts";
import { openProduct } from "./product.ts";

const { values: options } = parseArgs({
  options: {
    cases: { type: "string", default: "1000" },
    seed: { type: "string", default: String(randomInt(1_000_000)) },
    operations: { type: "string", default: "40" },
    workers: { type: "string", default: "3" },
    replay: { type: "string" },
    database: { type: "string" },
  },
});

type Progress = { cases: number; compared: number; failure?: string };

if (options.database === undefined) await supervise();
else await work(options.database);

/** Starts a Postgres and the workers, adds up what they report, and prints what they find. */
async function supervise(): Promise<void> {
  const seed = Number(options.seed);
  const workers = options.replay === undefined ? Number(options.workers) : 1;
  const start = Date.now();
  const reports: Progress[] = [];
  const say = (end: string) => {
    const sum = (count: (report: Progress) => number) => reports.reduce((total, report) => total + count(report), 0);
    const seconds = ((Date.now() - start) / 1_000).toFixed(0);
    const [cases, compared] = [sum((report) => report.cases), sum((report) => report.compared)];
    process.stderr.write(`seed ${seed}: ${cases} cases, ${compared} answers compared, ${seconds} s${end}`);
  };
  const ticking = setInterval(() => say(process.stderr.isTTY ? "\r" : "\n"), process.stderr.isTTY ? 1_000 : 30_000);
  const argvOf = (index: number) => childOptions(seed + index, workers);
  await runDatabaseWorkers<Progress>(import.meta.filename, workers, argvOf, (index, report, stopOthers) => {
    reports[index] = report;
    // The others would only find the same.
    if (report.failure !== undefined) stopOthers();
  });
  clearInterval(ticking);
  say("\n");
  const failure = reports.find((report) => report?.failure !== undefined)?.failure;
  if (failure === undefined) return;
  process.stdout.write(`${failure}\n`);
  process.exitCode = 1;
}

/** Each worker has a seed of its own and its share of the cases. */
function childOptions(seed: number, workers: number): string[] {
  const replay = options.replay === undefined ? [] : ["--replay", options.replay];
  const share = String(Math.ceil(Number(options.cases) / workers));
  return ["--seed", String(seed), "--cases", share, "--operations", options.operations, ...replay];
}

async function work(databaseUrl: string): Promise<void> {
  // Without the one who reports, nobody would hear of the end.
  process.once("disconnect", () => process.exit());
  const product = await openProduct(databaseUrl);
  const progress: Progress = { cases: 0, compared: 0 };
  if (options.replay === undefined) {
    const failure = await explore(product, {
      ...{ seed: Number(options.seed), cases: Number(options.cases), operations: Number(options.operations) },
      onCase(compared) {
        progress.cases += 1;
        progress.compared += compared;
        if (progress.cases % 10 === 0) process.send?.(progress);
      },
    });
    if (failure !== undefined) progress.failure = failure;
  } else {
    const failure = await differenceOf(product, JSON.parse(await readFile(options.replay, "utf8")));
    if (failure !== undefined) progress.failure = failure;
    else progress.cases = 1;
  }
  await new Promise((resolve) => process.send?.(progress, resolve));
  await product.stop();
  process.disconnect?.();
}
