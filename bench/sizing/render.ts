import { writeCount } from "../options.ts";
import { number, table } from "../report.ts";
import type { Result } from "./result.ts";
import type { TableSize } from "./sizes.ts";

export function render(results: readonly Result[]): string {
  const last = results.at(-1);
  if (last === undefined) throw new Error("nothing was measured");
  return `${[
    "# Numbers to plan with",
    "Written by `npm run bench:sizing`; [README.md](README.md#sizing) says what is measured. [Capacity](../docs/internals/capacity.md) says what follows from it.",
    results
      .map(
        ({ rows, machine, commit, madeIn }) =>
          `- ${writeCount(rows)} assignments: ${machine}; commit ${commit}; the world was made in ${number(madeIn)} s`,
      )
      .join("\n"),
    "## Size",
    "Each world has two roles for each assignment on average, a user for every five assignments, and 1.5 events for each assignment. Bytes are those on the disk, divided by the number of assignments.",
    renderGroups(results),
    `The tables and indexes of the world with ${writeCount(last.rows)} assignments that need at least 20 bytes for each:`,
    renderRelations(last),
    ...results.flatMap((result) => [`## ${writeCount(result.rows)} assignments`, ...renderResult(result)]),
  ].join("\n\n")}\n`;
}

const groups: readonly (readonly [string, RegExp])[] = [
  ["assignments", /^authorizations$/],
  ["roles of assignments", /^authorization_roles$/],
  ["change dates", /^authorization_change_dates$/],
  ["events", /^events/],
  ["stored numbers", /^numbers$/],
  ["events of the directory", /^directory_event/],
  ["the directory and the rest", /./],
];

const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
const megabytes = (bytes: number) => number(Math.round(bytes / 1024 ** 2));
const indexBytes = ({ indexes }: TableSize) => sum(indexes.map(({ bytes }) => bytes));

function renderGroups(results: readonly Result[]): string {
  const rest = (sizes: readonly TableSize[], index: number) =>
    sizes.filter(({ table }) => groups.findIndex(([, pattern]) => pattern.test(table)) === index);
  const line = (title: string, of: (result: Result) => readonly TableSize[]) => [
    title,
    ...results.flatMap((result) => {
      const tables = of(result);
      const [rows, indexes] = [sum(tables.map(({ bytes }) => bytes)), sum(tables.map(indexBytes))];
      return [
        number(sum(tables.map((one) => one.rows))),
        megabytes(rows),
        megabytes(indexes),
        number(Math.round((rows + indexes) / result.rows)),
      ];
    }),
  ];
  const header = [
    "",
    ...results.flatMap(({ rows }) => [
      `${writeCount(rows)}: rows`,
      "tables, MiB",
      "indexes, MiB",
      "bytes for each assignment",
    ]),
  ];
  return table(header, [
    ...groups.map(([title], index) => line(title, ({ sizes }) => rest(sizes, index))),
    line("**all**", ({ sizes }) => sizes),
  ]);
}

function renderRelations({ sizes, rows }: Result): string {
  const all = sizes
    .flatMap(({ table, bytes, indexes }) => [
      { name: table, kind: "table", bytes },
      ...indexes.map((one) => ({ name: one.index, kind: "index", bytes: one.bytes })),
    ])
    .filter(({ bytes }) => bytes / rows >= 20)
    .sort((a, b) => b.bytes - a.bytes);
  return table(
    ["", "", "MiB", "bytes for each assignment"],
    all.map(({ name, kind, bytes }) => [`\`${name}\``, kind, megabytes(bytes), number(Math.round(bytes / rows))]),
  );
}

const micro = (value: number | undefined) => number(Math.round(value ?? 0));

function renderResult({ onPrimary, replicated, costs, recovery }: Result): string[] {
  const requests = [
    "Everything shares the cores of this machine, so rates say what one machine does that also creates the load. Times are µs of processor time for one request; a batch is one request.",
    table(
      [
        "16 connections",
        "a second",
        "p50, ms",
        "p99, ms",
        "server",
        "Postgres, connections",
        "Postgres, the rest",
        "load generator",
      ],
      onPrimary.map((one) => [
        one.name,
        ...[one.perSecond, one.p50Ms, one.p99Ms].map(number),
        ...[one.server, one.processors.backends, one.processors.background, one.client].map(micro),
      ]),
    ),
    ...(replicated.length === 0 ? ["The disk had no room for a replica."] : renderReplicated(replicated, costs)),
    "The log, for each changed assignment. The images of pages are written once for each page after each checkpoint; here, almost every change meets pages that had none yet.",
    table(
      ["", "bytes of WAL", "with images of pages"],
      onPrimary.flatMap(({ name, wal }) =>
        wal === undefined ? [] : [[name, number(Math.round(wal.bytes)), number(Math.round(wal.withImages))]],
      ),
    ),
  ];
  const times = [
    "To copy and restore:",
    table(
      ["", "seconds", "MiB", "MiB a second"],
      Object.entries(recovery).map(([name, { seconds, bytes }]) => [
        name,
        number(seconds),
        ...(bytes === undefined ? ["", ""] : [megabytes(bytes), megabytes(bytes / seconds)]),
      ]),
    ),
  ];
  // A run that was ended early has only a part.
  return [...(onPrimary.length > 0 ? requests : []), ...(Object.keys(recovery).length > 0 ? times : [])];
}

function renderReplicated(replicated: Result["replicated"], { question, snapshot }: Result["costs"]): string[] {
  return [
    "With one replica, on the same cores:",
    table(
      [
        "",
        "a second",
        "server",
        "primary, connections",
        "primary, sending the log",
        "replica, connections",
        "replica, replay",
      ],
      replicated.map((one) => [
        one.name,
        number(one.perSecond),
        ...[
          one.server,
          one.processors.backends,
          one.processors.senders,
          one.replica?.backends,
          one.replica?.replay,
        ].map(micro),
      ]),
    ),
    `One question to the primary for its snapshot takes ${micro(question)} µs there, and finding a snapshot takes ${micro(snapshot)} µs on a replica.`,
  ];
}
