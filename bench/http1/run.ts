// The rate of short lists over HTTP/1.1, of this checkout and of another one by turns: see README.md. Needs Linux.
//
//   npm run bench:http1 -- --against ../the-other-checkout

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { callHeaders } from "../../test/support/call-headers.ts";
import { runCommand, startCommand, urlOf } from "../../test/support/command.ts";
import { onScratchPostgres } from "../../test/support/scratch-postgres.ts";
import { send } from "../load.ts";
import { currentCommit, describeMachine } from "../machine.ts";
import { readCount } from "../options.ts";
import { number, table } from "../report.ts";
import { median } from "../statistics.ts";

const { values } = parseArgs({
  options: {
    against: { type: "string" },
    rounds: { type: "string", default: "10" },
    seconds: { type: "string", default: "4" },
    connections: { type: "string", default: "16" },
    name: { type: "string", default: "the other checkout" },
  },
});
if (values.against === undefined) throw new Error("--against: a folder with the other checkout");

type Side = { readonly title: string; measure(): Promise<Measured>; stop(): Promise<unknown> };
/** Requests a second, and microseconds of the server's processor time for each. */
type Measured = { readonly rate: number; readonly cost: number };

const here = path.join(import.meta.dirname, "../..");
/** The other checkout comes twice: how it differs from itself is how far to trust the rest. */
const folders = [
  [values.name, values.against],
  [`${values.name}, again`, values.against],
  ["this checkout", here],
] as const;

await onScratchPostgres(async (database) => {
  const env = { DATABASE_URL: await database("http1"), PORT: "0", MIGRATE: "false", LOG_LEVEL: "warn" };
  const names = ["--organization", "Acme", "--login", "ann@acme.example"];
  const { stdout } = await runCommand(["init", ...names], { env });
  const sides: Side[] = [];
  try {
    for (const [title, folder] of folders) sides.push(await openSide(title, folder, env, stdout.trim()));
    const rounds = await measureAll(sides, readCount(values.rounds));
    await writeFile(path.join(import.meta.dirname, "../HTTP1.md"), render(rounds));
  } finally {
    for (const side of sides) await side.stop();
  }
});

async function openSide(title: string, folder: string, env: Record<string, string>, token: string): Promise<Side> {
  // At the level "warn", a server doesn't say where it is.
  const server = startCommand(["start"], { env, main: path.resolve(folder, "src/main.ts") });
  const url = await urlOf(server, "stdout");
  const post = {
    url: `${url}/service.authorization.v2.AuthorizationService/ListAuthorizations`,
    headers: callHeaders(token),
    body: Buffer.from('{"pagination":{"limit":1}}'),
  };
  const processorTime = async () => {
    const [, rest = ""] = (await readFile(`/proc/${server.process.pid}/stat`, "utf8")).split(") ");
    const [user = 0, system = 0] = rest.split(" ").slice(11).map(Number);
    return (user + system) * 10_000;
  };
  return {
    title,
    async measure() {
      const before = await processorTime();
      const load = { connections: Number(values.connections), seconds: Number(values.seconds) };
      const { milliseconds, seconds } = await send(post, load);
      const cost = ((await processorTime()) - before) / milliseconds.length;
      return { rate: milliseconds.length / seconds, cost };
    },
    stop() {
      server.process.kill("SIGTERM");
      return server.ended;
    },
  };
}

/** In turns, each side first in another round, so that what else the machine does hits all alike. */
async function measureAll(sides: readonly Side[], count: number): Promise<Measured[][]> {
  const rounds: Measured[][] = [];
  for (let round = 0; round <= count; round += 1) {
    const found: Measured[] = [];
    for (let turn = 0; turn < sides.length; turn += 1) {
      const index = (round + turn) % sides.length;
      found[index] = (await sides[index]?.measure()) as Measured;
      console.log(`${round}: ${sides[index]?.title}: ${Math.round(found[index].rate)} a second`);
    }
    // The first round warms up.
    if (round > 0) rounds.push(found);
  }
  return rounds;
}

function render(rounds: readonly Measured[][]): string {
  const lines = folders.map(([title], index) => {
    const of = (key: keyof Measured) => median(rounds.map((round) => round[index]?.[key] ?? 0));
    const ratios = (key: keyof Measured) =>
      rounds.map((round) => (round[index]?.[key] ?? 0) / (round[0]?.[key] ?? 1)).sort((a, b) => a - b);
    const shown = (key: keyof Measured) => {
      const all = ratios(key);
      return `${median(all).toFixed(3)} (${all[0]?.toFixed(3)} to ${all.at(-1)?.toFixed(3)})`;
    };
    return [
      title,
      number(of("rate")),
      number(of("cost")),
      ...(index === 0 ? ["", ""] : [shown("rate"), shown("cost")]),
    ];
  });
  return `${[
    "# What short lists over HTTP/1.1 cost",
    `Written by \`npm run bench:http1 -- --against …\` on commit ${currentCommit()}; [README.md](README.md) says what is measured.`,
    `Machine: ${describeMachine()}. ${rounds.length} rounds of ${values.seconds} seconds each, ${values.connections} connections.`,
    "The ratios are medians over the rounds, with the smallest and the largest: each is to the first line in the same round.",
    table(["", "requests a second", "µs of the server's processor time", "ratio of rates", "ratio of times"], lines),
  ].join("\n\n")}\n`;
}
