// What a change costs Postgres, in this checkout and in another one by turns: see README.md. Needs Linux.
//
//   npm run bench:writes -- --rows 1M --against ../the-other-checkout

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { currentCommit, describeMachine } from "../machine.ts";
import { readCount, writeCount } from "../options.ts";
import { number, table } from "../report.ts";
import { type Cost, medianCost, type Operation, openSide, type Side } from "./side.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1M" },
    against: { type: "string" },
    times: { type: "string", default: "10" },
    rounds: { type: "string", default: "25" },
    name: { type: "string", default: "the other checkout" },
  },
});
const rows = readCount(values.rows);
const times = readCount(values.times);
const rounds = readCount(values.rounds);

type Measured = { readonly title: string; readonly operation: Operation; readonly assignments: number };

/** What is deleted was created before. */
const measured: readonly Measured[] = [
  { title: "CreateAuthorization", operation: "create", assignments: 1 },
  { title: "UpdateAuthorization", operation: "update", assignments: 1 },
  { title: "Activate, DeactivateAuthorization", operation: "setState", assignments: 1 },
  { title: "DeleteAuthorization", operation: "delete", assignments: 1 },
  { title: "create in a batch of 100, each", operation: "create", assignments: 100 },
  { title: "update in a batch of 100, each", operation: "update", assignments: 100 },
  { title: "set the state in a batch of 100, each", operation: "setState", assignments: 100 },
  { title: "delete in a batch of 100, each", operation: "delete", assignments: 100 },
  { title: "put in place by ApplyChanges, 500 at once, each", operation: "import", assignments: 500 },
];

const here = path.join(import.meta.dirname, "../..");
const sides: Side[] = [];
try {
  for (const folder of values.against === undefined ? [here] : [here, values.against]) {
    sides.push(await openSide(folder, rows));
  }
  const costs = await measureAll(sides);
  await writeFile(path.join(import.meta.dirname, "../WRITES.md"), render(costs));
} finally {
  for (const side of sides) await side.close();
}

/** In short turns, each first in every other round, so that what else the machine does hits all alike. */
async function measureAll(sides: readonly Side[]): Promise<Cost[][]> {
  const costs = measured.map(() => sides.map((): Cost[] => []));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { operation, assignments, title }] of measured.entries()) {
      const turns = [...sides.entries()];
      for (const [place, side] of round % 2 === 0 ? turns : turns.reverse()) {
        const cost = await side.measure(operation, assignments, Math.ceil(times / Math.min(assignments, 40)));
        console.log(`${round}: ${title}: ${number(cost.milliseconds)} ms, ${side.folder}`);
        // The first round warms up.
        if (round > 0) costs[index]?.[place]?.push(cost);
      }
    }
  }
  return costs.map((one) => one.map(medianCost));
}

function render(costs: readonly Cost[][]): string {
  const columns: [string, keyof Cost][] = [
    ["ms of Postgres", "milliseconds"],
    ["bytes of WAL", "wal"],
    ["rows", "rows"],
    ["index entries", "indexEntries"],
  ];
  const lines = measured.map(({ title }, index) => {
    const [ours, other] = costs[index] ?? [];
    const cells = columns.flatMap(([, key]) => {
      if (ours === undefined) return [];
      return other === undefined ? [number(ours[key])] : [`${number(other[key])} → ${number(ours[key])}`];
    });
    return [title, ...cells, ...(ours && other ? [number(ours.milliseconds / other.milliseconds)] : [])];
  });
  const isCompared = values.against !== undefined;
  return `${[
    "# What a change costs Postgres",
    `Written by \`npm run bench:writes -- --rows ${values.rows}${isCompared ? " --against …" : ""}\` on commit ${currentCommit()}; [README.md](README.md) says what is measured.`,
    `Machine: ${describeMachine()}. World: ${writeCount(rows)} authorizations, each with two roles.`,
    ...(isCompared ? [`Each pair is ${values.name} → this checkout.`] : []),
    table(["", ...columns.map(([title]) => title), ...(isCompared ? ["ratio of ms"] : [])], lines),
  ].join("\n\n")}\n`;
}
