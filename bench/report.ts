import { duelLoad } from "./cases/duels.ts";
import { writeCount } from "./options.ts";
import type { CaseResult, Measurement, Results } from "./results.ts";
import { type Target, targets } from "./targets.ts";

/** The whole of RESULTS.md. */
export function renderResults(all: readonly Results[]): string {
  const sections = all.map(renderSection);
  return `${[
    "# Results",
    "Written by `npm run bench`; [README.md](README.md) says what is measured and how to read it.",
    "## Targets",
    renderTargets(all),
    "## Beside the rival",
    renderDuels(all),
    ...sections,
  ].join("\n\n")}\n`;
}

/** Every target against what each size of world got. */
export function renderTargets(all: readonly Results[]): string {
  const header = ["", "target", ...all.map(({ rows }) => writeCount(rows))];
  const rows = targets.map((target) => [
    target.title,
    `${target.bound === "at least" ? "≥" : "≤"} ${target.value}${target.unit ? ` ${target.unit}` : ""}`,
    ...all.map((results) => renderGot(target, results, all)),
  ]);
  return table(header, rows);
}

function renderGot(target: Target, results: Results, all: readonly Results[]): string {
  const got = target.got(
    results,
    all.find(({ rows }) => rows === results.rows * 10),
  );
  if (got === undefined) return "";
  const holds = target.bound === "at least" ? got >= target.value : got <= target.value;
  return `${holds ? "" : "**"}${number(got)}${holds ? "" : "** ✗"}`;
}

/** Everyday requests by turns to both, with the processor time of the server and of Postgres for one request. */
function renderDuels(all: readonly Results[]): string {
  const header = ["", "world", "ours/s", "server + Postgres ms", "rival/s", "server + Postgres ms", "ours ÷ rival"];
  const rows = all.flatMap((results) =>
    results.cases.flatMap(({ title, measurements }) => {
      const [ours, rival] = measurements;
      if (ours?.load !== duelLoad || rival?.ratio === undefined) return [];
      const processor = ({ serverMs = Number.NaN, postgresMs = Number.NaN }: Measurement) =>
        `${serverMs.toFixed(2)} + ${postgresMs.toFixed(2)}`;
      const cells = [ours, rival].flatMap((one) => [number(one.achieved), processor(one)]);
      return [[title, writeCount(results.rows), ...cells, number(rival.ratio)]];
    }),
  );
  return table(header, rows);
}

function renderSection(results: Results): string {
  const list = (things: Readonly<Record<string, string>>) =>
    Object.entries(things)
      .map(([name, value]) => `${name} ${value}`)
      .join(", ");
  return [
    `## ${writeCount(results.rows)} authorizations`,
    [
      `- ${results.machine}; Node ${results.node}, PostgreSQL ${results.postgres}`,
      `- Postgres settings of all sides: ${list(results.settings)}`,
      `- World: ${results.world}`,
      `- Memory of the processes at the end: ${list(results.memory)}`,
    ].join("\n"),
    ...results.cases.map(renderCase),
  ].join("\n\n");
}

function renderCase({ title, commit, date, command, measurements, numbers, notes }: CaseResult): string {
  const rows = measurements.map((m) => {
    const ours = measurements.find((other) => other.load === m.load);
    return [
      m.side,
      m.load === `${m.connections} at once` ? m.load : `${m.connections} at once (slow)`,
      ...[m.offered, m.achieved, m.ratio ?? (ours?.achieved ?? Number.NaN) / m.achieved].map(number),
      ...[m.p50, m.p95, m.p99].map(number),
    ];
  });
  const header = ["", "load", "offered/s", "achieved/s", "first ÷ this", "p50 ms", "p95 ms", "p99 ms"];
  const extra = Object.entries(numbers).map(([name, value]) => `- ${name}: ${number(value)}`);
  return [
    `### ${title}`,
    ...(rows.length > 0 ? [table(header, rows)] : []),
    [...extra, ...notes.map((note) => `- ${note}`), `- ${date}, commit ${commit}, \`${command}\``].join("\n"),
  ].join("\n\n");
}

/** As many digits as say something. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 0.1 ? 2 : 4);
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = header.map((_, index) => (index === 0 ? "---" : "---:"));
  return [header, rule, ...rows].map(line).join("\n");
}
