// Measures the service beside a hand-written rival and floors, on one Postgres, in one run: see README.md.
//
//   npm run bench -- --rows 1M --seconds 5 --rounds 3 --only page-fifty,update

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { withClient } from "../test/support/with-client.ts";
import { type Bench, type Case, findPostmaster } from "./bench.ts";
import { makeTokens } from "./callers.ts";
import { batchCases } from "./cases/batches.ts";
import { createCase } from "./cases/create.ts";
import { cursorCase } from "./cases/cursor.ts";
import { directoryCase } from "./cases/directory.ts";
import { duels } from "./cases/duels.ts";
import { endsCase } from "./cases/ends.ts";
import { requireEqualAnswers } from "./cases/equal-answers.ts";
import { requireEqualChanges } from "./cases/equal-changes.ts";
import { importCase } from "./cases/import.ts";
import { memoryCase } from "./cases/memory.ts";
import { openfgaCase } from "./cases/openfga.ts";
import { overviewCases } from "./cases/overview.ts";
import { pageCases } from "./cases/pages.ts";
import { putBackLeftovers } from "./cases/put-back.ts";
import { searchCases } from "./cases/searches.ts";
import { totalCase } from "./cases/total.ts";
import { updateCase } from "./cases/update.ts";
import { currentCommit, describeMachine, describeWorld } from "./machine.ts";
import { readOptions, writeCount } from "./options.ts";
import { type BenchPostgres, openBenchPostgres } from "./postgres.ts";
import { memoryOf } from "./processes.ts";
import { renderResults, renderTargets } from "./report.ts";
import { type CaseResult, keepResults, type Results, readResults } from "./results.ts";
import { type Servers, startServers } from "./sides.ts";
import { openWorld } from "./world/world.ts";

const all: Case[] = [
  ...pageCases,
  cursorCase,
  totalCase,
  ...overviewCases,
  ...searchCases,
  updateCase,
  createCase,
  ...duels,
  ...batchCases,
  directoryCase,
  endsCase,
  openfgaCase,
  importCase,
  memoryCase,
];
const args = process.argv.slice(2);
const options = readOptions(args);
/** By its name, or with all whose names begin with one word. */
const isAsked = (one: Case, name: string) => one.name === name || one.name.startsWith(`${name}-`);
const unknown = options.only?.filter((name) => !all.some((one) => isAsked(one, name))) ?? [];
if (unknown.length > 0) throw new Error(`there is no case ${unknown.join(", ")}: see --list`);

if (options.list) {
  for (const { name, title, slow } of all)
    console.log(`${name.padEnd(20)} ${title}${slow ? " (only when named)" : ""}`);
} else {
  const postgres = await openBenchPostgres(options.rows);
  try {
    await measure(postgres);
  } finally {
    await postgres.stop();
  }
}

async function measure(postgres: BenchPostgres): Promise<void> {
  const database = await openWorld(postgres, options.rows, console.log);
  const world = postgres.connectionTo(database);
  const worldUrl = postgres.urlOf(database);
  await withClient(world, putBackLeftovers);
  const callers = await makeTokens(world);
  const servers = await startServers(worldUrl);
  try {
    const postmaster = await findPostmaster(world);
    const bench: Bench = { options, postgres, world, worldUrl, postmaster, callers, servers, say: console.log };
    await requireEqualAnswers(bench);
    await requireEqualChanges(bench);
    for (const one of all.filter((one) => options.only?.some((name) => isAsked(one, name)) ?? !one.slow)) {
      const measured = await runCase(bench, one);
      // After each case, so that one that fails takes nothing with it.
      const results = await keepResults({ ...(await describeRun(bench)), cases: [measured] });
      await writeFile(path.join(import.meta.dirname, "RESULTS.md"), renderResults(results));
    }
    const results = await readResults();
    console.log(`\n${renderTargets(results.filter(({ rows }) => rows === options.rows))}`);
  } finally {
    await servers.stop();
  }
}

async function runCase(bench: Bench, one: Case): Promise<CaseResult> {
  console.log(`${one.name}: ${one.title}`);
  const measured = await one.run(bench);
  for (const [name, value] of Object.entries(measured.numbers)) console.log(`  ${name}: ${value}`);
  const command = `npm run bench -- ${args.length > 0 ? args.join(" ") : `--rows ${writeCount(options.rows)}`}`;
  const date = new Date().toISOString().slice(0, 10);
  return { name: one.name, title: one.title, commit: currentCommit(), date, command, ...measured };
}

async function describeRun({ postgres, world, servers }: Bench): Promise<Omit<Results, "cases">> {
  return {
    rows: options.rows,
    machine: describeMachine(),
    node: process.versions.node,
    postgres: postgres.version,
    settings: postgres.settings,
    world: await describeWorld(world),
    memory: await memoryOfServers(servers),
  };
}

async function memoryOfServers({ ours, rival }: Servers): Promise<Record<string, string>> {
  const describe = async (pid: number | undefined) => {
    const { now, peak } = await memoryOf(pid);
    return `${now.toFixed(0)} MiB (at most ${peak.toFixed(0)})`;
  };
  return { ours: await describe(ours.process.pid), rival: await describe(rival.process.pid) };
}
