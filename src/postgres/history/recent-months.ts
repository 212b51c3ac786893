import sql, { raw, type Sql } from "sql-template-tag";
import type { Instant } from "../../authorization/authorization.ts";
import type { Database } from "../database/database.ts";
import { type Names, namesFor, type Statement } from "../database/prepared.ts";
import { primaryNow } from "../database/primary-time.ts";
import { type Range, readPage } from "../page/page.ts";

export type HistoryTable = "events" | "directory_events";

/** The months of a history from one on, and how late all earlier events are at most. */
export type Since = { readonly history: HistoryTable; readonly first: bigint; readonly latestBefore: Instant };

/** Which recent parts of a history a page of the newest events may be read from, the smallest one first. */
export type RecentMonths = (history: HistoryTable, signal: AbortSignal) => Promise<readonly Since[]>;

/**
 * Each month costs a statement about as much as a whole page of one row. So if there are many, a page of the newest
 * events is read from the last weeks, or from half a year. The statement itself makes sure that no earlier month has any
 * event of the page, so it doesn't matter how old the answer here is. It is renewed after a minute.
 */
export function recentMonths(database: Database): RecentMonths {
  let known: readonly Since[] = [];
  let renewedAt = Number.NEGATIVE_INFINITY;
  return async (history, signal) => {
    const now = performance.now();
    if (now - renewedAt >= renewMs) {
      const before = renewedAt;
      renewedAt = now;
      try {
        known = (await database.query<Row>(findRecent, signal)).map(toSince);
      } catch (error) {
        // The caller has left, for example. The next one looks.
        renewedAt = before;
        throw error;
      }
    }
    return known.filter((since) => since.history === history);
  };
}

const renewMs = 60_000;

/** With fewer earlier months than this, all of them are looked through. */
const fewMonths = 6;

const { text, values } = sql`
  select history, max(first_after)::text as first, max(latest) as latest
  from (values ('7 days'::interval), ('182 days')) ages (age)
  cross join (
    select p.*, row_number() over (partition by history order by first_after) as nth
    from past_months p where first_after > (select first_sequence from kept_history)) p
  where latest < ${primaryNow} - age and nth >= ${fewMonths}
  group by history, age
  order by age`;
const findRecent: Statement = { name: "recent months", text, values };

type Row = { history: HistoryTable; first: string; latest: Instant };

function toSince({ history, first, latest }: Row): Since {
  return { history, first: BigInt(first), latestBefore: latest };
}

/** Only the events since then, for a list of the newest ones by time. */
export function rangeSince({ history, first }: Since): Range {
  return {
    tables: tablesOf[history].map(
      (name) =>
        sql`${raw(name)} as not materialized (select * from ${raw(name)} where sequence >= ${raw(String(first))})`,
    ),
    isWhole: sql`(select min(key) from ranked) > (
        select latest from past_months where history = ${raw(`'${history}'`)} and first_after = ${raw(String(first))})`,
  };
}

/**
 * The names of a history's statements (src/postgres/database/prepared.ts). With 36 months, a plan for all of them takes
 * 1.4 MB on each connection, so few have one. Those since a month are forgotten when months have passed.
 */
export function namesOf(since: Since | undefined): Names {
  if (since === undefined) return ofAllMonths;
  const part = `${since.history} ${since.first}`;
  const names = ofParts.get(part) ?? namesFor(mostOfPart);
  // The one that was used longest ago comes first.
  ofParts.delete(part);
  ofParts.set(part, names);
  const [oldest = ""] = ofParts.keys();
  if (ofParts.size > mostParts) ofParts.delete(oldest);
  return names;
}

const ofAllMonths = namesFor(12);
const mostOfPart = 6;
const ofParts = new Map<string, Names>();
/** The last weeks and half a year, of both histories. */
const mostParts = 4;

const tablesOf: Readonly<Record<HistoryTable, readonly string[]>> = {
  events: ["events", "kept_events"],
  directory_events: [
    "directory_events",
    "kept_directory_events",
    "directory_event_places",
    "kept_directory_event_places",
  ],
};

/** The part of a query that says where its page can be. */
type Asked = { readonly ascending: boolean; readonly after?: { readonly time: Instant } | undefined } & {
  readonly offset: bigint;
  readonly limit: number;
};

/**
 * Reads a page from the most recent months that have the whole page. Each attempt is a statement of its own, and says how
 * many events it found.
 */
export async function readRecentPage<Found>(
  database: Database,
  { ascending, after, offset, limit }: Asked,
  recent: readonly Since[],
  statementOf: (since: Since | undefined) => Statement | Sql,
  signal: AbortSignal,
) {
  const needed = offset + BigInt(limit) + 1n;
  let expected = needed;
  for (const since of ascending ? [] : recent) {
    if (expected < needed || (after !== undefined && after.time <= since.latestBefore)) continue;
    const page = await readPage<Found>(database, statementOf(since), signal);
    if (page.isWhole) return page;
    expected = page.ranked === 0 ? 0n : (offset + BigInt(page.ranked)) * muchLonger;
  }
  return readPage<Found>(database, statementOf(undefined), signal);
}

/** How many times as many events half a year is expected to have. */
const muchLonger = 6n;
