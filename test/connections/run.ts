// Opens mixed connections, breaks and closes them, in six rounds, and compares what each leaves in the server.
//
//   npm run test:connections                            writes bench/CONNECTIONS.md; fails if a round leaves something
//   npm run test:connections -- --connections 1000

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { currentCommit, describeMachine } from "../../bench/machine.ts";
import { table } from "../../bench/report.ts";
import { runRounds } from "./rounds.ts";

const { values } = parseArgs({
  options: { connections: { type: "string", default: "10000" }, seed: { type: "string", default: "1" } },
});
const count = Number(values.connections);
const rounds = 6;
const started = Date.now();
const { left, kinds } = await runRounds(rounds, count, Number(values.seed));
const seconds = Math.round((Date.now() - started) / 1_000);
const mib = (bytes: number) => (bytes / 1_024 ** 2).toFixed(2);
// One collection leaves up to a tenth more than another. What a leak adds in three rounds is above all of the first three.
const highest = Math.max(...left.slice(0, rounds / 2).map(({ heap }) => heap));
const growth = ((left.at(-1)?.heap ?? 0) / highest - 1) * 100;
const page = `${[
  "# What connections leave behind",
  `Written by \`npm run test:connections\` on commit ${currentCommit()}. Machine: ${describeMachine()}.`,
  `Each round opens ${count} connections of ${kinds.size} kinds, up to 50 at once: ${[...kinds.keys()].join(", ")}. The clients leave by closing, by resetting, or by ending their side. All rounds took ${seconds} seconds.`,
  table(
    ["after round", "open sockets", "MiB of heap after a collection"],
    left.map(({ sockets, heap }, index) => [String(index + 1), String(sockets), mib(heap)]),
  ),
  `After the last round, the heap differs by ${growth.toFixed(1)} % from the largest after the first three. It may grow by 5 %.`,
].join("\n\n")}\n`;
await writeFile(path.join(import.meta.dirname, "../../bench/CONNECTIONS.md"), page);
process.stdout.write(page);
if (growth > 5 || left.some(({ sockets }) => sockets > 0)) process.exitCode = 1;
