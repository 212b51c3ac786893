// Everyday requests to this checkout and to others by turns, on one Postgres: see README.md. Needs Linux.
//
//   npm run bench:pairs -- --against base=../base --against other=../other --section "Without replicas"

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { findPostmaster } from "../bench.ts";
import { type Post, send } from "../load.ts";
import { currentCommit, describeMachine } from "../machine.ts";
import { readCount } from "../options.ts";
import { openBenchPostgres } from "../postgres.ts";
import { processorTime, processorTimeOfPostgres, type ServerProcess } from "../processes.ts";
import { number, table } from "../report.ts";
import { startOurs } from "../sides.ts";
import { median } from "../statistics.ts";
import { requestTitles } from "./requests.ts";
import { writeSection } from "./section.ts";
import { type Measured, ratios, verdictOf } from "./verdict.ts";
import { openWorlds, type World } from "./worlds.ts";

const { values } = parseArgs({
  options: {
    against: { type: "string", multiple: true, default: [] },
    rows: { type: "string", default: "100k" },
    rounds: { type: "string", default: "10" },
    seconds: { type: "string", default: "3" },
    connections: { type: "string", default: "8" },
    only: { type: "string", multiple: true },
    file: { type: "string", default: "bench/REPLICAS.md" },
    section: { type: "string", default: "Without replicas" },
  },
});
const [base, ...others] = values.against.map((one) => one.split("=") as [string, string]);
if (base === undefined) throw new Error("--against: a name, =, and a folder with another checkout");
const root = path.join(import.meta.dirname, "../..");

/** The base comes twice: how it differs from itself is how far to trust the rest. */
const sides = [base, [`${base[0]}, again`, base[1]] as const, ...others, ["this checkout", root] as const];
const [rows, rounds] = [readCount(values.rows), readCount(values.rounds)];
const load = { connections: readCount(values.connections), seconds: readCount(values.seconds) };

type Side = { readonly title: string; readonly server: ServerProcess; readonly world: World };

const folder = await mkdtemp(path.join(tmpdir(), "authorization-bench-pairs-"));
const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  const postgres = await openBenchPostgres(rows, { dataDirectory: folder });
  stops.push(postgres.stop);
  const worlds = await openWorlds(
    postgres,
    sides.map(([, checkout]) => path.resolve(root, checkout)),
    rows,
  );
  const servers: Side[] = [];
  for (const [title, checkout] of sides) {
    const world = worlds.get(path.resolve(root, checkout)) as World;
    const server = await startOurs(
      { DATABASE_URL: postgres.urlOf(world.database), MIGRATE: "false", CONSOLE: "false" },
      path.resolve(root, checkout, "src/main.ts"),
    );
    stops.push(server.stop);
    servers.push({ title, server, world });
  }
  const postmaster = await findPostmaster(postgres.connectionTo("postgres"));
  const lines: string[][] = [];
  for (const [index, title] of requestTitles.entries()) {
    if (values.only?.includes(title) === false) continue;
    const posts = servers.map(({ server, world }) => world.requests[index]?.post(server.url) as Post);
    lines.push(...describe(title, await measureAll(title, servers, posts, postmaster)));
  }
  await writeSection(path.resolve(root, values.file), values.section, render(lines));
} finally {
  for (const stop of stops.toReversed()) await stop();
}

/** In turns, each side first in another round, so that what else the machine does hits all alike. */
async function measureAll(what: string, servers: Side[], posts: Post[], postmaster: number): Promise<Measured[][]> {
  const all: Measured[][] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const found: Measured[] = [];
    for (let turn = 0; turn < servers.length; turn += 1) {
      const index = (round + turn) % servers.length;
      const used = async () =>
        (await processorTime(servers[index]?.server.process.pid)) + (await processorTimeOfPostgres(postmaster));
      const before = await used();
      const { milliseconds, seconds } = await send(posts[index] as Post, load);
      const cost = (((await used()) - before) / milliseconds.length) * 1_000;
      found[index] = { rate: milliseconds.length / seconds, cost };
      console.log(
        `${round}: ${what}, ${servers[index]?.title}: ${number(found[index].rate)} a second, ${number(cost)} µs`,
      );
    }
    // The first round warms up.
    if (round > 0) all.push(found);
  }
  return all;
}

function describe(what: string, all: readonly Measured[][]): string[][] {
  return sides.map(([title], index) => {
    const of = (key: keyof Measured) => number(median(all.map((round) => round[index]?.[key] ?? Number.NaN)));
    const shown = (key: keyof Measured) => {
      const sorted = ratios(all, index, key);
      return `${median(sorted).toFixed(3)} (${sorted[0]?.toFixed(3)} to ${sorted.at(-1)?.toFixed(3)})`;
    };
    const compared =
      index === 0 ? ["", "", ""] : [shown("rate"), shown("cost"), index === 1 ? "" : verdictOf(all, index)];
    return [index === 0 ? what : "", title, of("rate"), of("cost"), ...compared];
  });
}

function render(lines: readonly string[][]): string {
  const given = values.against.map((one) => `--against "${one.split("=")[0]}=…"`).join(" ");
  return [
    `Written by \`npm run bench:pairs -- --rows ${values.rows} ${given}\` on commit ${currentCommit()}; [README.md](README.md#pairs) says what is measured.`,
    `Machine: ${describeMachine()}. ${values.rows} assignments, ${rounds} rounds of ${values.seconds} seconds each, ${values.connections} connections. Times are processor time of the server and
Postgres for one request. Ratios are to the first line in the same round: the median, with the smallest and the largest.`,
    table(["", "", "requests a second", "µs", "ratio of rates", "ratio of times", "verdict"], lines),
  ].join("\n\n");
}
