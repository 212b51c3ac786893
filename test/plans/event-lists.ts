import type pg from "pg";
import type { AdministratorRole, Caller as Asker } from "../../src/authorization/permissions.ts";
import type { Statement } from "../../src/postgres/database/prepared.ts";
import { pageSize } from "./bound.ts";
import type { Caller } from "./callers.ts";
import { examine } from "./explain.ts";
import type { Result } from "./judge.ts";

export type Filtered<Filter> = { readonly name: string; readonly filters: readonly Filter[] };

type Position = { readonly time: bigint; readonly sequence: string };

type Query<Filter> = {
  readonly filters: readonly Filter[];
  readonly ascending: boolean;
  readonly after?: Position;
  readonly offset: bigint;
  readonly limit: number;
  readonly skipTotal: boolean;
};

/** What a list may examine: how many events match it, how many the caller sees, and how many it listed. */
export type Extent<Filter> = {
  readonly filters: readonly Filter[];
  readonly skipTotal: boolean;
  readonly matched: number;
  readonly held: number;
  readonly listed: number;
};

/** The lists of one history: of assignments, or of the directory. */
export type History<Filter> = {
  /** What the names of its lists begin with, by which a run can be limited to some. */
  readonly name: string;
  /** An administrator of the instance with this role sees every event. */
  readonly viewer: AdministratorRole;
  readonly lists: readonly Filtered<Filter>[];
  list(asker: Asker, query: Query<Filter>): Promise<{ total: number; events: readonly Position[] }>;
  statement(asker: Asker, query: Query<Filter>): Statement | undefined;
  /** Whether the total comes from numbers that are kept. The service names such a statement. */
  keepsTotal(filters: readonly Filter[]): boolean;
  boundOf(extent: Extent<Filter>): number;
};

/** Runs every filter alone, and a page further on, for every kind of caller. */
export async function runEventLists<Filter>(
  client: pg.Client,
  history: History<Filter>,
  callers: readonly Caller[],
  only: string,
): Promise<Result[]> {
  const results: Result[] = [];
  const everything: Asker = { userId: "", entries: [{ scope: { kind: "instance" }, roles: [history.viewer] }] };
  const firstPage = (filters: readonly Filter[]) =>
    ({ filters, ascending: false, offset: 0n, limit: pageSize, skipTotal: false }) satisfies Query<Filter>;
  const total = async (asker: Asker, filters: readonly Filter[]) =>
    (await history.list(asker, { ...firstPage(filters), limit: 1 })).total;
  for (const { name, filters } of history.lists.filter(({ name }) => `${history.name}: ${name}`.includes(only))) {
    const matched = await total(everything, filters);
    for (const { kind, asker } of callers) {
      const held = await total(asker, []);
      const run = async (filter: string, query: Query<Filter>) => {
        const statement = history.statement(asker, query);
        if (statement === undefined) throw new Error("a list of the plans matches nothing whatever there is");
        const examined = await examine(client, statement, history.keepsTotal(filters));
        const { skipTotal } = query;
        const bound = history.boundOf({ filters, skipTotal, matched, held, listed: examined.listed });
        results.push({ ...examined, filter, caller: kind, sort: "time", bound });
      };
      await run(name, firstPage(filters));
      await run(`${name}, without the total`, { ...firstPage(filters), skipTotal: true });
      if (filters.length > 0) continue;
      const { events } = await history.list(asker, firstPage([]));
      const after = events.at(-1);
      await run(`${name}, oldest first`, { ...firstPage([]), ascending: true });
      const skipTotal = !history.keepsTotal([]);
      if (after !== undefined) await run(`${name}, second page`, { ...firstPage([]), after, skipTotal });
    }
  }
  return results;
}

/** Midnight of a day in UTC, in microseconds. */
export function at(day: string): bigint {
  return BigInt(Date.parse(day)) * 1_000n;
}

/** A table for bench/PLANS.md: rows examined of those allowed, and the time inside Postgres; beyond it in bold. */
export function renderEvents(title: string, what: string, results: readonly Result[]): string {
  const callers = [...new Set(results.map(({ caller }) => caller))];
  const names = [...new Set(results.map(({ filter }) => filter))];
  const cell = (filter: string, caller: string) => {
    const result = results.find((one) => one.filter === filter && one.caller === caller);
    if (result === undefined) return "";
    const rows = `${result.rows.toLocaleString("en")} of ${result.bound.toLocaleString("en")}`;
    return `${result.rows > result.bound ? `**${rows}**` : rows}, ${result.milliseconds.toFixed(1)} ms`;
  };
  return [
    `## ${title}`,
    "",
    `A page of 100 of ${what} says what is allowed.`,
    "",
    `|  | ${callers.join(" | ")} |`,
    `| --- |${" --- |".repeat(callers.length)}`,
    ...names.map((name) => `| ${name} | ${callers.map((caller) => cell(name, caller)).join(" | ")} |`),
    "",
  ].join("\n");
}
