// What attackers can do to the others' requests, and to a server with little memory: see README.md.
//
//   npm run bench:siege                                    every attack for 60 s, about half an hour
//   npm run bench:siege -- --only ping-flood,unread-401 --seconds 10
//   npm run bench:siege -- --pairs --workers 2
//   npm run bench:siege -- --write After                   fills this section of bench/SIEGE.md
//
// Ends with 1 if a goal is missed.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { currentCommit, describeMachine } from "../machine.ts";
import { readCount } from "../options.ts";
import type { Order as HonestOrder, Outcome } from "../overload/open-loop.ts";
import { writeSection } from "../pairs/section.ts";
import { type BenchPostgres, openBenchPostgres } from "../postgres.ts";
import { stopProcess } from "../processes.ts";
import { table } from "../report.ts";
import { openWorld } from "../world/world.ts";
import type { Order } from "./attacker.ts";
import { attacks } from "./attacks.ts";
import { type Besieged, heapMiB, openBesieged } from "./besieged.ts";
import { cores, pinTo } from "./pin.ts";
import { judge, type Measured, p99, type Row, withRows } from "./table.ts";
import { type Callers, type Issuer, makeCallers, openIssuer } from "./world.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "250k" },
    seconds: { type: "string", default: "60" },
    workers: { type: "string", default: "1" },
    only: { type: "string" },
    pairs: { type: "boolean", default: false },
    write: { type: "string" },
  },
});
const rows = readCount(values.rows);
const seconds = readCount(values.seconds);
const workers = readCount(values.workers);

/** Of all three honest callers together. An idle server answers that many with a p99 below 100 ms. */
const honestPerSecond = 60;
const mostIdleMs = 100;
/** For each worker. */
const warmUpSeconds = 3;
/** Longer than the server waits for keys. */
const slowIssuerMs = 6_000;

const sieges = chosen();
const isPinned = pinTo(cores.server);
const stops: (() => Promise<void>)[] = [];
try {
  process.exitCode = (await besiege()) ? 0 : 1;
} finally {
  for (const stop of stops.toReversed()) await stop();
}

/** The attacks of each siege: one, or two at a time. */
function chosen(): string[][] {
  const names = values.only?.split(",") ?? Object.keys(attacks);
  const unknown = names.filter((name) => attacks[name] === undefined);
  if (unknown.length > 0) throw new Error(`no such attack: ${unknown}; there are ${Object.keys(attacks).join(", ")}`);
  if (!values.pairs) return names.map((name) => [name]);
  return names.flatMap((name, index) => names.slice(index + 1).map((other) => [name, other]));
}

async function besiege(): Promise<boolean> {
  const postgres = await openBenchPostgres(rows);
  stops.push(postgres.stop);
  const issuer = await openIssuer();
  stops.push(issuer.stop);
  const database = await openWorld(postgres, rows, console.log);
  const callers = await makeCallers(postgres.connectionTo(database), issuer);
  const honest = fork(path.join(import.meta.dirname, "../overload/open-loop.ts"));
  stops.push(() => stopProcess(honest));
  const setting = { databaseUrl: postgres.urlOf(database), issuer, callers, honest };

  const idle = await measure(setting, []);
  const idleP99 = p99(idle.answered);
  console.log(`idle: p99 ${idleP99.toFixed(1)} ms, ${idle.peakMiB.toFixed(0)} MiB`);
  if (!(idleP99 < mostIdleMs))
    console.log(`this machine is too busy: the p99 of an idle server is below ${mostIdleMs} ms`);
  const run = [`${seconds} s`, ...(workers > 1 ? [`${workers} workers`] : []), currentCommit()].join(", ");
  const found: Row[] = [];
  let areAllReached = true;
  for (const names of sieges) {
    const { cells, isReached } = judge(idle, await measure(setting, names));
    areAllReached &&= isReached;
    found.push([titleOf(names), ...cells, run]);
    console.log(`${names.join(" + ")} | ${cells.join(" | ")}`);
    // After each siege, because a run may take hours.
    if (values.write !== undefined) await write(values.write, postgres, found);
  }
  console.log(withRows("", found));
  return areAllReached;
}

type Setting = {
  readonly databaseUrl: string;
  readonly issuer: Issuer;
  readonly callers: Callers;
  readonly honest: ChildProcess;
};

/** Each siege has a server of its own. The attackers begin when it is warm. */
async function measure({ databaseUrl, issuer, callers, honest }: Setting, names: string[]): Promise<Measured> {
  issuer.answerInMs(0);
  const server = await openBesieged(workers, { DATABASE_URL: databaseUrl, ...issuer.environment });
  const attackers: ChildProcess[] = [];
  try {
    for (const _ of names) attackers.push(await startAttacker());
    await ask(honest, server, callers, warmUpSeconds * workers);
    issuer.answerInMs(slowIssuerMs);
    const beganAt = performance.now();
    const target = { port: server.port, tokens: callers.attackers };
    for (const [index, attack] of names.entries()) attackers[index]?.send({ attack, target, seconds } satisfies Order);
    const { sent, useful, byStatus } = await ask(honest, server, callers, seconds);
    console.log(`  ${JSON.stringify(byStatus)}`);
    if (attackers.some(({ exitCode }) => exitCode !== null && exitCode !== 0))
      throw new Error("an attacker broke down");
    const endedAt = server.endedAt();
    return {
      ...{ sent, answered: useful, peakMiB: server.peakMiB() },
      crashedAfter: endedAt === undefined ? undefined : (endedAt - beganAt) / 1_000,
    };
  } finally {
    for (const attacker of attackers) await stopProcess(attacker);
    await server.stop();
  }
}

/** Resolves once it waits for its order, on its own core. Until then it takes time of the server's. */
async function startAttacker(): Promise<ChildProcess> {
  const attacker = fork(path.join(import.meta.dirname, "attacker.ts"));
  await once(attacker, "message");
  return attacker;
}

/** Honest callers send their requests at their rate, whatever happens. */
async function ask(honest: ChildProcess, { port }: Besieged, { honest: requests }: Callers, forSeconds: number) {
  const order: HonestOrder = { host: "127.0.0.1", port, requests, perSecond: honestPerSecond, seconds: forSeconds };
  honest.send(order);
  const [outcome] = (await once(honest, "message")) as [Outcome];
  return outcome;
}

function titleOf(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(" and ") + (workers > 1 ? `, ${workers} workers` : "");
}

async function write(section: string, postgres: BenchPostgres, found: readonly Row[]): Promise<void> {
  const file = path.join(import.meta.dirname, "../SIEGE.md");
  const all = Object.entries(attacks).map(([name, { what }]) => [`\`${name}\``, what]);
  await writeSection(file, "Attacks", table(["Attack", "What the attackers do"], all).replace("---:", "---"));
  const document = await readFile(file, "utf8");
  const earlier = document.split(/^(?=## )/m).find((one) => one.startsWith(`## ${section}\n`)) ?? "";
  const places = isPinned
    ? "attackers on one core, everything else on another"
    : "no `taskset`, so all on the same cores";
  const text = [
    "The last column says for how long each row was measured, and on which commit.",
    `The machine of the latest rows: ${describeMachine()}; ${places}.`,
    `PostgreSQL ${postgres.version}, ${rows.toLocaleString("en")} assignments, ${heapMiB} MB of heap.`,
    "",
    withRows(earlier, found),
  ].join("\n");
  await writeSection(file, section, text);
}
