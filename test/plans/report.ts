import { callerKinds } from "../../bench/callers.ts";
import { describeMachine } from "../../bench/machine.ts";
import { writeCount } from "../../bench/options.ts";
import { type Caller, kinds } from "./callers.ts";
import { type Exception, exceptions, lookUpExceptions } from "./exceptions.ts";
import type { Judgement, Result } from "./judge.ts";

/** The whole of bench/PLANS.md. */
export function renderPlans(
  rows: number,
  world: string,
  callers: readonly Caller[],
  results: readonly Result[],
): string {
  return `${[
    "# Plans",
    `Written by \`npm run test:plans\`: what lists of a page of 100 examine, for every filter, every kind of caller and every
order. A cell has the worst of the ten orders, measured by its bound: rows examined of those allowed, and the time inside
Postgres. [test/plans/bound.ts](../test/plans/bound.ts) says what is allowed; what is beyond it is bold, and is one of the
exceptions below.`,
    `- World of ${writeCount(rows)}: ${world}\n- ${describeMachine()}; each list was run once`,
    callers.map(({ kind, held }) => `- ${kind}: ${callerKinds[kind]}, who sees ${number(held)}`).join("\n"),
    renderTable(results),
    `## Exceptions`,
    exceptions.length === 0 ? "None." : exceptions.map(renderException).join("\n"),
  ].join("\n\n")}\n`;
}

/** The part of bench/PLANS.md about a history. */
export function renderEvents(title: string, results: readonly Result[]): string {
  const allowed = "[test/plans/event-lists.ts](../test/plans/event-lists.ts) says what is allowed.";
  return `## ${title}\n\nA page of 100, newest first; ${allowed}\n\n${renderTable(results)}\n`;
}

/** The part of bench/PLANS.md about look-ups. */
export function renderLookUps(results: readonly Result[]): string {
  return `${[
    "## Look-ups",
    `A page of 100, sorted by name; [test/plans/look-up-bound.ts](../test/plans/look-up-bound.ts) says what is allowed.`,
    renderTable(results),
    "Exceptions:",
    lookUpExceptions.length === 0 ? "None." : lookUpExceptions.map(renderException).join("\n"),
  ].join("\n\n")}\n`;
}

/** What a person who started the test wants to know. */
export function renderJudgement({ failed, excused, unneeded }: Judgement): string {
  return [
    ...worstOfEach(failed).map(([worst, sorts]) => `FAILED    ${renderResult(worst, sorts)}`),
    ...unneeded.map((exception) => `UNNEEDED  ${renderException(exception)}`),
    `${failed.length} lists beyond their bounds, ${excused.length} excused, ${unneeded.length} exceptions not needed`,
  ].join("\n");
}

function renderResult(worst: Result, sorts: number): string {
  const { filter, caller, sort, rows, bound, milliseconds, pages, scans } = worst;
  const most = scans.map((scan) => `\n            ${number(scan.rows)}: ${scan.name}`).join("");
  const others = sorts > 1 ? ` (and ${sorts - 1} more orders)` : "";
  return `${filter}, ${caller}, by ${sort}${others}: ${number(rows)} rows of ${number(bound)}, ${number(pages)} pages, ${time(milliseconds)}${most}`;
}

/** For each filter and caller, the order that is worst by its bound, and how many there are. */
function worstOfEach(results: readonly Result[]): [worst: Result, sorts: number][] {
  const groups = Object.values(Object.groupBy(results, ({ filter, caller }) => `${filter}, ${caller}`));
  return groups.flatMap((group = []) => {
    const [worst] = group.toSorted((a, b) => b.rows / b.bound - a.rows / a.bound);
    return worst === undefined ? [] : [[worst, group.length]];
  });
}

function renderException({ filters, callers, sorts, why, rows, milliseconds }: Exception): string {
  const by = `${callers?.join(", ") ?? "any caller"}; ${sorts?.join(", ") ?? "any order"}`;
  return `- ${filters.join(" / ")} (${by}): ${number(rows)} rows, ${time(milliseconds)}. ${why}`;
}

function renderTable(results: readonly Result[]): string {
  const filters = [...new Set(results.map(({ filter }) => filter))];
  const rows = filters.map((filter) => [
    filter,
    ...kinds.map((kind) => renderWorst(results.filter((r) => r.filter === filter && r.caller === kind))),
  ]);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const header = ["", ...kinds];
  return [header, header.map(() => "---"), ...rows].map(line).join("\n");
}

function renderWorst(results: readonly Result[]): string {
  const [[worst, sorts] = []] = worstOfEach(results);
  if (worst === undefined || sorts === undefined) return "";
  const mark = worst.rows > worst.bound ? "**" : "";
  return `${mark}${number(worst.rows)} of ${number(worst.bound)}${mark}, ${time(worst.milliseconds)}${sorts > 1 ? `, ${worst.sort}` : ""}`;
}

function time(milliseconds: number): string {
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}

function number(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
