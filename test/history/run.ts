// Lets clients change and read authorizations through two servers while both and Postgres are killed, paused and
// restarted, and proves afterwards that nothing was lost, made up or shown wrongly.
//
//   npm run history -- --minutes 10 --seed 1
//   npm run history -- --minutes 10 --seed 1 --replicas 2
//   npm run history -- --minutes 10 --seed 1 --fail-over
//   npm run history -- --minutes 10 --seed 1 --workers 2
//   npm run history -- --minutes 1 --seed 1 --planted answer-before-commit     has to fail

import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { verify } from "./check/verify.ts";
import { experiment } from "./experiment.ts";
import { report } from "./report.ts";
import { serve, servePlanted } from "./servers.ts";

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    seed: { type: "string", default: String(randomInt(1_000_000)) },
    clients: { type: "string", default: "24" },
    watchers: { type: "string", default: "12" },
    replicas: { type: "string" },
    workers: { type: "string", default: "1" },
    "fail-over": { type: "boolean", default: false },
    planted: { type: "string" },
    folder: { type: "string" },
  },
});

const seed = Number(options.seed);
const stopped = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    process.stderr.write(`stopped by ${signal}: what was done until now is checked\n`);
    stopped.abort();
  });
}

process.stdout.write(`seed ${seed}\n`);
const startedAt = Date.now();
const findings = await experiment({
  ...{ seed, forMs: Number(options.minutes) * 60_000, clients: Number(options.clients), coldUsers: 60 },
  watchers: Number(options.watchers),
  ...{ thinkMs: 0, calmMs: 2_500, signal: stopped.signal, folder: options.folder },
  replicas: Number(options.replicas ?? (options["fail-over"] ? 2 : 0)),
  failOver: options["fail-over"],
  workers: Number(options.workers),
  server: options.planted === undefined ? serve : servePlanted(options.planted),
  say: (message) => process.stderr.write(`${((Date.now() - startedAt) / 1_000).toFixed(1)} s: ${message}\n`),
});
const checkedFrom = Date.now();
const violations = [...findings.violations, ...verify(findings.history, findings.combinations)];
process.stdout.write(report({ seed, ...findings, violations, checkedInMs: Date.now() - checkedFrom }));
if (findings.onReplicas.length > 0) {
  process.stdout.write(`transactions on replicas: ${findings.onReplicas.join(", ")}\n`);
}
if (findings.continuedAfterMs !== undefined) {
  process.stdout.write(`first change acknowledged ${Math.round(findings.continuedAfterMs)} ms after the promotion\n`);
}
if (violations.length > 0 || stopped.signal.aborted) process.exitCode = 1;
