// Sends hostile input to the service for as long as it is told to, and judges every answer.
//
//   npm run fuzz -- --inputs 100000 --seed 1 --workers 2   each worker has a server and a database of its own
//   npm run fuzz -- --seed 1 --index 12345                 one input, as a failing run named it

import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { runDatabaseWorkers } from "../support/database-workers.ts";
import { aftermath } from "./aftermath.ts";
import { cycleLength, type Findings, fuzz } from "./campaign.ts";
import { startProduct } from "./product.ts";
import { growth, summary } from "./summary.ts";

const { values: options } = parseArgs({
  options: {
    inputs: { type: "string", default: "10000" },
    seed: { type: "string", default: String(randomInt(1_000_000)) },
    workers: { type: "string", default: "1" },
    index: { type: "string" },
    // For workers: where the database is, and the first input; the number of inputs is the end then.
    database: { type: "string" },
    from: { type: "string", default: "0" },
  },
});

/** What a worker has seen so far. */
type Progress = Findings & { memory: number[] };

if (options.database !== undefined) await work(options.database);
else await supervise();

/** Starts a Postgres and the workers, and adds up what they report. */
async function supervise(): Promise<void> {
  const isOne = options.index !== undefined;
  const [first, workers] = [Number(options.index ?? 0), isOne ? 1 : Number(options.workers)];
  const inputs = isOne ? first + 1 : Number(options.inputs);
  // Whole cycles, so that all workers see all kinds of stages.
  const share = workers === 1 ? inputs : Math.ceil(inputs / workers / cycleLength) * cycleLength;
  const start = Date.now();
  const reports: Progress[] = [];
  const ticking = setInterval(() => process.stderr.write(`${summary(reports, Date.now() - start)[0]}\n`), 10_000);
  const argvOf = (index: number) => {
    const [from, end] = [first + index * share, Math.min(inputs, (index + 1) * share)];
    return ["--seed", options.seed, "--from", String(from), "--inputs", String(end)];
  };
  await runDatabaseWorkers<Progress>(import.meta.filename, workers, argvOf, (index, report) => {
    reports[index] = report;
  });
  clearInterval(ticking);
  process.stdout.write(`seed ${options.seed}: ${summary(reports, Date.now() - start).join("\n")}\n`);
  const problems = reports.flatMap((report) => report.problems);
  for (const problem of problems) process.stdout.write(`\n${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

async function work(databaseUrl: string): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const product = await startProduct(databaseUrl);
  // Without the one who reports, nobody would hear of the end.
  process.once("disconnect", () => void product.stop().finally(() => process.exit(1)));
  const filesBefore = await product.openFiles();
  const memory: number[] = [];
  const report = (findings: Findings) => new Promise((resolve) => process.send?.({ ...findings, memory }, resolve));
  const [from, to] = [Number(options.from), Number(options.inputs)];
  const findings = await fuzz({
    ...{ seed: Number(options.seed), from, to },
    ...{ product, databaseUrl, mostProblems: 5 },
    async onStage(soFar) {
      memory.push((await product.memory()) ?? 0);
      await report(soFar);
    },
  });
  // One input alone says nothing of what a run leaves behind.
  if (product.isAlive() && to - from > 1) {
    findings.problems.push(...(await aftermath(product, databaseUrl, filesBefore)));
  }
  findings.problems.push(...growth(memory));
  const code = await product.stop();
  if (code !== 0) findings.problems.push(`told to stop, the server ended with ${code}`);
  await report(findings);
  process.removeAllListeners("disconnect");
  process.disconnect?.();
}
