// What the worst bodies do to a server in a small container: see README.md.
//
//   npm run bench:bodies
//   npm run bench:bodies -- --only GetCaller,ListUsers --repeat 50
//   npm run bench:bodies -- --bodies "empty items"        these bodies alone

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import type { DescMethod } from "@bufbuild/protobuf";
import { requirementOf } from "../../src/rpc/requirements.ts";
import { services } from "../../test/support/services.ts";
import { load, makeMigrated, tokensFor } from "../databases.ts";
import { currentCommit, describeMachine } from "../machine.ts";
import { type BenchPostgres, openBenchPostgres } from "../postgres.ts";
import { worstBodies } from "./bodies.ts";
import { type Post, sendOften } from "./send.ts";
import { openVictim } from "./victim.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    bodies: { type: "string", default: "" },
    repeat: { type: "string", default: "50" },
    "no-report": { type: "boolean", default: false },
  },
});
const repeat = Number(values.repeat);
/** How often each body is sent to find the worst ones. */
const tries = 8;

/** What a body did. A server that ended has no memory and no stalls. */
type Measured = {
  readonly rpc: string;
  readonly shape: string;
  readonly sentBytes: number;
  readonly peakMiB: number;
  readonly stallMs: number;
  readonly healthMs: number;
  readonly answers: string;
  readonly crashed: boolean;
};

const methods = services
  .flatMap((service) => service.methods)
  .filter(({ name }) => values.only === undefined || values.only.split(",").includes(name));

const postgres = await openBenchPostgres(100_000);
let victim: Awaited<ReturnType<typeof openVictim>> | undefined;
try {
  const { url, token } = await makeCaller(postgres);
  const results: Measured[] = [];
  for (const method of methods) results.push(...(await measureRpc(url, token, method)));
  await report(results);
} finally {
  await victim?.stop();
  await postgres.stop();
}

/** An empty database with one caller, who may do everything. */
async function makeCaller(postgres: BenchPostgres): Promise<{ url: string; token: string }> {
  const connection = await makeMigrated(postgres, "bodies");
  await load(connection, [
    { organization: { id: "acme", name: "Acme" } },
    { user: { id: "ann", organizationId: "acme", preferredLoginName: "ann@acme.example", displayName: "Ann" } },
    { administrator: { userId: "ann", instance: true, roles: ["IAM_OWNER"] } },
  ]);
  const [token = ""] = await tokensFor(connection, ["ann"]);
  return { url: postgres.urlOf("bodies"), token };
}

/** Tries every body that the RPC may have, then sends those again, often, that held most memory or stalled the loop longest. */
async function measureRpc(databaseUrl: string, token: string, method: DescMethod): Promise<Measured[]> {
  const tried: { post: () => Omit<Post, "url">; measured: Measured }[] = [];
  for (const make of worstBodies(method.input, requirementOf(method).mostBytes)) {
    if (!make().shape.includes(values.bodies)) continue;
    for (const gzipped of [false, true]) {
      const post = () => {
        const body = make();
        const isStream = method.methodKind === "server_streaming";
        return { body: gzipped ? { ...body, bytes: gzipSync(body.bytes) } : body, gzipped, token, isStream };
      };
      tried.push({ post, measured: await measure(databaseUrl, method, post(), tries) });
    }
  }
  const worst = (size: (measured: Measured) => number) =>
    tried.toSorted((a, b) => size(b.measured) - size(a.measured))[0];
  const chosen = new Set([
    worst((each) => (each.crashed ? Number.MAX_VALUE : each.peakMiB)),
    worst((each) => each.stallMs || 0),
  ]);
  const results: Measured[] = [];
  for (const each of chosen)
    if (each !== undefined) results.push(await measure(databaseUrl, method, each.post(), repeat));
  for (const each of results) console.log(line(each).join(" | "));
  return results;
}

async function measure(
  databaseUrl: string,
  method: DescMethod,
  post: Omit<Post, "url">,
  times: number,
): Promise<Measured> {
  if (victim === undefined || !victim.isAlive() || times === repeat) {
    await victim?.stop();
    victim = await openVictim(databaseUrl);
  }
  const url = `${victim.url}/${method.parent.typeName}/${method.name}`;
  await victim.forgetPeak();
  await victim.longestStallMs();
  const { counts, slowestHealthMs } = await sendOften(victim.url, { ...post, url }, times);
  const stallMs = await victim.longestStallMs();
  const peakMiB = await victim.peakMiB();
  const measured = {
    rpc: method.name,
    shape: `${post.body.shape}, ${post.body.contentType.slice("application/".length)}${post.gzipped ? ", gzip" : ""}`,
    sentBytes: post.body.bytes.length,
    ...{ peakMiB, stallMs, healthMs: slowestHealthMs },
    answers: Object.entries(counts)
      .map(([answer, count]) => `${answer} × ${count}`)
      .join(", "),
    crashed: !victim.isAlive(),
  };
  console.error(`  ${line(measured).join(" | ")}`);
  return measured;
}

function line(each: Measured): string[] {
  return [
    each.rpc,
    each.shape,
    each.sentBytes.toLocaleString("en"),
    each.crashed ? "crashed" : each.peakMiB.toFixed(0),
    each.crashed ? "" : each.stallMs.toFixed(0),
    each.crashed ? "" : each.healthMs.toFixed(0),
    each.answers,
  ];
}

async function report(results: readonly Measured[]): Promise<void> {
  const text = [
    "# The worst bodies",
    "",
    `Written by \`npm run bench:bodies${values.only === undefined ? "" : ` -- --only ${values.only}`}\` on commit ${currentCommit()}.`,
    `Machine: ${describeMachine()}; shared by the server, Postgres and the sender.`,
    `The server: ${victim?.container}. Each body is sent ${repeat} times over 8 connections to a server of its own.`,
    "",
    "| RPC | body | bytes sent | peak MiB | longest stall ms | slowest /healthz ms | answers |",
    "|---|---|---:|---:|---:|---:|---|",
    ...results.map((each) => `| ${line(each).join(" | ")} |`),
    "",
  ].join("\n");
  console.log(text);
  if (!values["no-report"]) await writeFile(path.join(import.meta.dirname, "../BODIES.md"), text);
}
