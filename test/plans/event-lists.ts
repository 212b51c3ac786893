import type pg from "pg";
import sql, { join, raw } from "sql-template-tag";
import { type HistoryFilter, mostCounted } from "../../src/authorization/history.ts";
import type { Caller as Asker } from "../../src/authorization/permissions.ts";
import { conditionsOn, inTime } from "../../src/postgres/history/history-table.ts";
import { historyStatement, type ListedHistory, postgresHistory } from "../../src/postgres/history/list-history.ts";
import { narrow } from "../../src/postgres/history/narrowing.ts";
import type { Database } from "../../src/postgres/pool/database.ts";
import { pageSize } from "./bound.ts";
import type { Caller } from "./callers.ts";
import { examine } from "./explain.ts";
import type { Result } from "./judge.ts";

/** As for authorizations (test/plans/bound.ts): for the page and for the total, and as often again. */
const times = 4;
const pagesRead = 20;
/** Each event with its actor, and one of an assignment with its user, place, roles, and who may be known. */
const details = 20;
/** For places that hide something, and the smallest lists. */
const always = 500;

/** What a list is filtered by, under the name the report and the exceptions know it by. */
export type Filtered<Filter> = { readonly name: string; readonly filters: readonly Filter[] };

export function filtered<Filter>(name: string, ...filters: Filter[]): Filtered<Filter> {
  return { name, filters };
}

type Position = { readonly time: bigint; readonly sequence: string };

/** The lists of one history: of assignments, or of the directory. */
export type Lists<Id extends string, Type extends string, Row extends Position, Event extends Position> = {
  /** What the names of its lists begin with, by which a run can be limited to some. */
  readonly name: string;
  readonly history: ListedHistory<Id, Type, Row, Event>;
  readonly lists: readonly Filtered<HistoryFilter<Id, Type>>[];
  /** The filters after which the index of a place has the events in order. */
  readonly inOrder: readonly string[];
};

/** Runs every filter alone, and a page further on, for every kind of caller. */
export async function runEventLists<
  Id extends string,
  Type extends string,
  Row extends Position,
  Event extends Position,
>(
  client: pg.Client,
  database: Database,
  { name: ofHistory, history, lists, inOrder }: Lists<Id, Type, Row, Event>,
  callers: readonly Caller[],
  only: string,
): Promise<Result[]> {
  const results: Result[] = [];
  const everything: Asker = { userId: "", entries: [{ scope: { kind: "instance", id: "" }, roles: ["IAM_OWNER"] }] };
  type Filters = readonly HistoryFilter<Id, Type>[];
  const firstPage = (filters: Filters) => ({
    filters,
    ascending: false,
    offset: 0n,
    limit: pageSize,
    skipTotal: false,
  });
  /** How many there are, also beyond what the service counts. */
  const numberOf = async (asker: Asker, filters: Filters) => {
    const narrowing = narrow(filters, history.several);
    if (narrowing === undefined) throw new Error("a list of the plans matches nothing whatever there is");
    const { tables, isSeen } = history.seenBy(asker, narrowing);
    const conditions = [isSeen, ...inTime(narrowing), ...conditionsOn(history, narrowing)];
    const { rows } = await client.query<{ count: number }>(sql`
      with ${join([...tables, sql`one as (select)`], ", ")}
      select count(*)::float8 as count from ${raw(history.view)} e where ${join(conditions, " and ")}`);
    return rows[0]?.count ?? 0;
  };
  const named = lists.map(({ name, filters }) => ({ name: `${ofHistory}: ${name}`, filters }));
  for (const { name, filters } of named.filter(({ name }) => name.includes(only))) {
    const matched = await numberOf(everything, filters);
    const kinds = filters.map(({ kind }) => kind as string);
    for (const { kind, asker } of callers) {
      const held = await numberOf(asker, []);
      const run = async (filter: string, query: Parameters<typeof historyStatement<Id, Type, Row, Event>>[2]) => {
        const statement = historyStatement(history, asker, query);
        if (statement === undefined) throw new Error("a list of the plans matches nothing whatever there is");
        const isNamed = !kinds.includes("actorId") && !kinds.includes("time");
        const examined = await examine(client, statement, isNamed);
        const enough = query.skipTotal ? pagesRead * pageSize : mostCounted;
        const smallest = Math.min(held, matched, kinds.every((one) => inOrder.includes(one)) ? enough : held);
        const choice = filters.length === 0 ? 0 : mostCounted * (filters.length + 2);
        const bound = times * smallest + choice + details * examined.listed + always;
        results.push({ ...examined, filter, caller: kind, sort: "time", bound });
      };
      await run(name, firstPage(filters));
      await run(`${name}, without the total`, { ...firstPage(filters), skipTotal: true });
      if (filters.length > 0) continue;
      const signal = new AbortController().signal;
      const { items } = await postgresHistory(database, history).list(asker, firstPage([]), signal);
      const after = items.at(-1);
      await run(`${name}, oldest first`, { ...firstPage([]), ascending: true });
      if (after !== undefined) await run(`${name}, second page`, { ...firstPage([]), after, skipTotal: true });
    }
  }
  return results;
}

/** Midnight of a day in UTC, in microseconds. */
export function at(day: string): bigint {
  return BigInt(Date.parse(day)) * 1_000n;
}
