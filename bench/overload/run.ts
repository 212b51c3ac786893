// What happens when four times as many requests come in as can be answered: see README.md.
//
//   npm run bench:overload -- --rows 100k --seconds 60

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { parseArgs } from "node:util";
import { makeTokens } from "../callers.ts";
import { currentCommit, describeMachine } from "../machine.ts";
import { readCount, writeCount } from "../options.ts";
import { type BenchPostgres, openBenchPostgres } from "../postgres.ts";
import { memoryOf, type ServerProcess, stopProcess } from "../processes.ts";
import { startOurs } from "../sides.ts";
import { median, percentile } from "../statistics.ts";
import { openWorld } from "../world/world.ts";
import type { Order, Outcome } from "./open-loop.ts";

const { values } = parseArgs({
  options: { rows: { type: "string", default: "100k" }, seconds: { type: "string", default: "60" } },
});
const rows = readCount(values.rows);
const seconds = readCount(values.seconds);
/** What each request is given, in milliseconds. */
const deadlineMs = 1_000;

const postgres = await openBenchPostgres(rows);
const generator = fork(path.join(import.meta.dirname, "open-loop.ts"));
try {
  await measure(postgres);
} finally {
  await stopProcess(generator);
  await postgres.stop();
}

async function measure(postgres: BenchPostgres): Promise<void> {
  const database = await openWorld(postgres, rows, console.log);
  const callers = await makeTokens(postgres.connectionTo(database));
  const environment = { DATABASE_URL: postgres.urlOf(database), DATABASE_POOL_SIZE: "10" };
  const page = pageRequest(callers.largest.token);
  const server = await startOurs(environment);
  try {
    await offer(server, page, 200, 5);
    const peak = await findPeak(server, page);
    const before = await offer(server, page, 0.5 * peak, 5);
    const memory: number[] = [];
    const sampling = setInterval(async () => memory.push((await memoryOf(server.process.pid)).now), 1_000);
    const over = await offer(server, page, 4 * peak, seconds);
    clearInterval(sampling);
    const after = await offer(server, page, 0.5 * peak, 5);
    const costs = await costOfRefusal(environment, page, server);
    await report({ peak, before, over, after, memory, costs });
  } finally {
    await server.stop();
  }
}

/** The most useful answers a second that any offered rate brings. */
async function findPeak(server: ServerProcess, page: string): Promise<number> {
  let peak = 0;
  let rate = 200;
  for (let declines = 0; declines < 3; rate *= 1.15) {
    const outcome = await offer(server, page, rate, 5);
    const useful = outcome.useful.length / 5;
    console.log(`  offered ${rate.toFixed(0)}/s: ${useful.toFixed(0)} useful answers/s`);
    declines = useful > peak ? 0 : declines + 1;
    peak = Math.max(peak, useful);
  }
  return peak;
}

async function offer(server: ServerProcess, request: string, perSecond: number, forSeconds: number): Promise<Outcome> {
  const { hostname: host, port } = new URL(server.url);
  const order: Order = { host, port: Number(port), requests: [request], perSecond, seconds: forSeconds };
  generator.send(order);
  const [outcome] = (await once(generator, "message")) as [Outcome];
  return outcome;
}

/** Processor time of the server for one refused request and for one served page, in milliseconds. */
async function costOfRefusal(
  environment: Record<string, string>,
  page: string,
  serving: ServerProcess,
): Promise<{ refused: number; served: number }> {
  const refusing = await startOurs({ ...environment, MAX_REQUESTS_IN_FLIGHT: "1" });
  // Its body never comes: it is in flight until its deadline, which is a minute here.
  const { hostname: host, port } = new URL(refusing.url);
  const holding = connect({ host, port: Number(port) });
  holding.write(page.replace(/content-length: \d+/, "content-length: 9999").replace(/connect-timeout-ms: \d+\r\n/, ""));
  await offer(refusing, page, 500, 2);
  try {
    const cost = async (server: ServerProcess, perSecond: number, status: string) => {
      const begin = await processorMs(server.process);
      const { byStatus, sent } = await offer(server, page, perSecond, 10);
      if (byStatus[status] !== sent) throw new Error(`not only ${status}: ${JSON.stringify(byStatus)}`);
      return ((await processorMs(server.process)) - begin) / sent;
    };
    return { refused: await cost(refusing, 1_000, "503"), served: await cost(serving, 200, "200") };
  } finally {
    holding.destroy();
    await refusing.stop();
  }
}

/** User and system time of a process so far; Linux alone tells it of another process. */
async function processorMs({ pid }: ChildProcess): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).replace(/^.*\) /, "").split(" ");
  const ticksPerSecond = 100;
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond;
}

function pageRequest(token: string): string {
  const body = JSON.stringify({ pagination: { limit: 100 } });
  const head = [
    "POST /service.authorization.v2.AuthorizationService/ListAuthorizations HTTP/1.1",
    "host: 127.0.0.1",
    "content-type: application/json",
    "connect-protocol-version: 1",
    `connect-timeout-ms: ${deadlineMs}`,
    `authorization: Bearer ${token}`,
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

type Measured = {
  readonly peak: number;
  readonly before: Outcome;
  readonly over: Outcome;
  readonly after: Outcome;
  readonly memory: readonly number[];
  readonly costs: { readonly refused: number; readonly served: number };
};

async function report({ peak, before, over, after, memory, costs }: Measured): Promise<void> {
  const useful = over.useful.length / seconds;
  const tenth = Math.ceil(memory.length / 10);
  const settled = secondsUntilSteady(after, 0.5 * peak);
  const lines: [string, string, string][] = [
    ["peak of useful answers, offered step by step", `${peak.toFixed(0)}/s`, ""],
    [`offered for ${seconds} s`, `${(over.sent / seconds).toFixed(0)}/s`, "4 x the peak"],
    ["useful answers meanwhile", `${useful.toFixed(0)}/s`, ""],
    ["useful answers ÷ peak", (useful / peak).toFixed(2), "at least 0.75"],
    ["answers by status", JSON.stringify(over.byStatus).replaceAll('"', ""), "200 and 503 only"],
    ["served in time: p50, p99", `${times(over.useful)} ms`, `under ${deadlineMs} ms`],
    ["refused: p50, p99", `${times(over.refused)} ms`, ""],
    ["processor time of a refusal ÷ of a served page", (costs.refused / costs.served).toFixed(3), "at most 0.1"],
    ["  in milliseconds", `${costs.refused.toFixed(3)} ÷ ${costs.served.toFixed(3)}`, ""],
    [
      "memory, last tenth ÷ first tenth",
      (median(memory.slice(-tenth)) / median(memory.slice(0, tenth))).toFixed(2),
      "flat",
    ],
    ["  at most", `${Math.max(...memory).toFixed(0)} MiB`, ""],
    ["half the peak before: p50, p99", `${times(before.useful)} ms`, ""],
    ["half the peak right after: p50, p99", `${times(after.useful)} ms`, ""],
    ["  all are served from", `${settled.toFixed(1)} s on`, "within 2 s"],
    ["connections of the generator, at most", String(over.connections), ""],
  ];
  const text = [
    "# Overload",
    "",
    `Written by \`npm run bench:overload -- --rows ${writeCount(rows)} --seconds ${seconds}\` on commit ${currentCommit()}.`,
    `Machine: ${describeMachine()}; shared by the server, Postgres and the generator.`,
    "Pages of 100 for the owner of the largest organization, each with a second of time.",
    "",
    "| | measured | target |",
    "|---|---:|---|",
    ...lines.map((cells) => `| ${cells.join(" | ")} |`),
    "",
  ].join("\n");
  console.log(text);
  await writeFile(path.join(import.meta.dirname, "../OVERLOAD.md"), text);
}

/** The first tenth of a second after which as many are answered as come, counted over half a second. */
function secondsUntilSteady({ usefulByTenth }: Outcome, perSecond: number): number {
  const width = 5;
  for (let tenth = 0; tenth + width <= usefulByTenth.length; tenth += 1) {
    const answered = usefulByTenth.slice(tenth, tenth + width).reduce((sum, count) => sum + count, 0);
    if (answered >= 0.95 * perSecond * (width / 10)) return tenth / 10;
  }
  return Number.POSITIVE_INFINITY;
}

function times(milliseconds: readonly number[]): string {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  return [0.5, 0.99].map((share) => percentile(sorted, share).toFixed(1)).join(", ");
}
