import { availableParallelism } from "node:os";
import { writeCount } from "../options.ts";
import { number, table } from "../report.ts";
import {
  assumed,
  lags,
  loads,
  outages,
  predict,
  replicaCounts,
  underLoad,
  withLag,
  withOutage,
} from "../simulation/scenarios.ts";
import type { Outcome } from "../simulation/simulate.ts";
import type { Measured } from "./measure.ts";
import type { Result } from "./result.ts";
import type { TableSize } from "./sizes.ts";

export function render(results: readonly Result[]): string {
  const last = results.at(-1);
  if (last === undefined) throw new Error("nothing was measured");
  return `${[
    "# Numbers to plan with",
    "Written by `npm run bench:sizing`; [README.md](README.md#sizing) says what is measured. [Capacity](../docs/explanation/capacity.md) says what follows from it.",
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
    ...renderSimulation(results.findLast(isWhole) ?? last),
  ].join("\n\n")}\n`;
}

/** Whether the disk, other programs and a replica were measured, too. */
function isWhole({ costs, onPrimary }: Result): boolean {
  return costs.flush !== undefined && costs.snapshot !== undefined && onPrimary[0]?.others !== undefined;
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

function renderSimulation(result: Result): string[] {
  const cores = availableParallelism();
  const checked = ["short list", "page of 100", "update"].flatMap((name) =>
    result.onPrimary.filter((one) => one.name === name),
  );
  const share = (part: number) => `${Math.round(part * 100)}%`;
  const times = ({ lists }: Outcome) => `${number(lists.p50)} / ${number(lists.p99)}`;
  return [
    "## Simulation",
    `A queueing model with the times of ${writeCount(result.rows)} assignments above. Machines share their cores equally among what runs there; a server uses one core; how much more or less than the mean a request
needs is drawn from the times of requests sent one after the other, without the slowest tenth. Replicas find equal snapshots as the service does. The same seed gives the same run.`,
    `Compared with this machine, where the load generator, the server and Postgres share ${cores} cores with other programs. The simulation gets the cores that the others left.${
      checked.some(({ others }) => others === undefined)
        ? " In this run, that is taken from what the bench itself used, so the rate is no test of the model, and the times are."
        : ""
    }`,
    table(
      [
        "16 connections",
        "cores left",
        "a second, measured",
        "simulated",
        "error",
        "p50, ms, measured",
        "simulated",
        "error",
        "p99, ms, measured",
        "simulated",
      ],
      checked.map((one) => {
        const left = coresLeft(one, cores);
        const { lists } = predict(result, one, 16, left);
        const error = (simulated: number, measured: number) => {
          const percent = Math.round((simulated / measured - 1) * 100);
          return `${percent > 0 ? "+" : ""}${percent}%`;
        };
        return [
          ...[one.name, left.toFixed(2)],
          ...[number(one.perSecond), number(lists.perSecond), error(lists.perSecond, one.perSecond)],
          ...[number(one.p50Ms), number(lists.p50), error(lists.p50, one.p50Ms)],
          ...[number(one.p99Ms), number(lists.p99)],
        ];
      }),
    ),
    `The rest assumes ${assumed.coresOfPostgres} cores of this kind for the primary and for each replica, ${assumed.networkMs} ms from one machine to another, ${assumed.replicationMs} ms more until a change arrives at a replica, enough servers to be
busy for 60% of the time, and ${assumed.changesPerSecond} changes a second. ${
      result.costs.flush === undefined
        ? "Waiting for the disk is left out."
        : `A change waits ${(result.costs.flush / 1_000).toFixed(1)} ms for the disk, as here.`
    }`,
    "Short lists: p50 / p99 in ms. Empty: the load is more than can be answered.",
    table(
      ["lists a second", ...replicaCounts.map((count) => (count === 1 ? "1 replica" : `${count} replicas`))],
      loads.map((load) => [
        number(load),
        ...replicaCounts.map((count) => {
          const outcome = underLoad(result, count, load);
          return outcome.lists.perSecond < 0.95 * load ? "" : `${times(outcome)} (${share(outcome.byReplicas)})`;
        }),
      ]),
    ),
    "In parentheses: how much of it replicas answered. The rest went to the primary.",
    "Replica lag, with 4 replicas and 10,000 lists a second:",
    table(
      [
        "a change arrives after, ms",
        "10 changes a second: by replicas",
        "p50 / p99, ms",
        "100 changes a second: by replicas",
        "p50 / p99, ms",
      ],
      lags.map((lag) => [
        number(lag),
        ...[10, 100].flatMap((changes) => {
          const outcome = withLag(result, lag, changes);
          return [share(outcome.byReplicas), times(outcome)];
        }),
      ]),
    ),
    "A fail-over: there is no primary for some time. Clients try again after 0.1 s, then after twice as long, up to 1 s. 2 replicas, 2,000 lists a second:",
    table(
      [
        "seconds without a primary",
        "failed tries",
        "longest list, ms",
        "longest change, ms",
        "seconds until lists are as fast as before",
      ],
      outages.map((seconds) => {
        const { failedTries, lists, changes, backAfter = 0 } = withOutage(result, seconds);
        return [
          String(seconds),
          number(failedTries),
          number(Math.round(lists.most)),
          number(Math.round(changes.most)),
          number(backAfter),
        ];
      }),
    ),
  ];
}

/** How many cores other programs left. If that was not counted: how many the bench used, which was busy all the time. */
function coresLeft({ others, perSecond, server, client, processors }: Measured, cores: number): number {
  const used = ((server + client + processors.backends + processors.background) * perSecond) / 1_000_000;
  return others === undefined ? used : Math.max(0.1, cores - others);
}
