import type pg from "pg";
import type { EventFilter, EventQuery } from "../../src/authorization/history.ts";
import type { Caller as Asker } from "../../src/authorization/permissions.ts";
import type { Database } from "../../src/postgres/database/database.ts";
import { isKept } from "../../src/postgres/history/event-filters.ts";
import { eventStatement, listEvents } from "../../src/postgres/history/list-events.ts";
import { narrow } from "../../src/postgres/history/narrowing.ts";
import { pageSize } from "./bound.ts";
import type { Caller } from "./callers.ts";
import { type Examined, examine } from "./explain.ts";

/** A list of events that was run, and how many rows it may examine. */
export type EventResult = Examined & {
  readonly filter: string;
  readonly caller: Caller["kind"];
  readonly bound: number;
};

type Filtered = { readonly name: string; readonly filters: readonly EventFilter[] };

/** As for authorizations (test/plans/bound.ts): for the page and for the total, and as often again. */
const times = 4;
const pagesRead = 20;
/** Each event with its actor, user, project, grant and organization, up to three roles and keys, and who may be known. */
const details = 20;
/** For the numbers that totals are added up from, of each type in up to fifty places. */
const always = 500;
/** Of who did it, up to so many entries are counted on either side to choose the shorter way. */
const counted = 2 * 10_001;

/** Runs every filter alone, and a page further on, for every kind of caller. */
export async function runEvents(
  client: pg.Client,
  database: Database,
  callers: readonly Caller[],
  only: string,
): Promise<EventResult[]> {
  const results: EventResult[] = [];
  const everything: Asker = { userId: "", entries: [{ scope: { kind: "instance" }, roles: ["IAM_OWNER_VIEWER"] }] };
  const total = async (asker: Asker, filters: readonly EventFilter[]) =>
    (await listEvents(database, asker, { ...firstPage(filters), limit: 1 }, new AbortController().signal)).total;
  const lists = allFilters(await pickSamples(client)).filter(({ name }) => `events: ${name}`.includes(only));
  for (const { name, filters } of lists) {
    const matched = await total(everything, filters);
    for (const { kind, asker } of callers) {
      const held = await total(asker, []);
      const run = async (filter: string, query: EventQuery) => {
        const statement = eventStatement(asker, query);
        if (statement === undefined) throw new Error("a list of the plans matches nothing whatever there is");
        const examined = await examine(client, statement, isKept(narrow(filters) ?? {}));
        const bound = boundOf(filters, query.skipTotal, matched, held, examined.listed);
        results.push({ ...examined, filter, caller: kind, bound });
      };
      await run(name, firstPage(filters));
      await run(`${name}, without the total`, { ...firstPage(filters), skipTotal: true });
      if (filters.length > 0) continue;
      const { events } = await listEvents(database, asker, firstPage([]), new AbortController().signal);
      const after = events.at(-1);
      await run(`${name}, oldest first`, { ...firstPage([]), ascending: true });
      if (after !== undefined) await run(`${name}, second page`, { ...firstPage([]), after });
    }
  }
  return results;
}

function boundOf(filters: readonly EventFilter[], skipTotal: boolean, matched: number, held: number, listed: number) {
  const inOrder = filters.every(({ kind }) => kind === "organizationId" || kind === "projectId" || kind === "time");
  const isChosen = filters.some(({ kind }) => kind === "actorId");
  const isPage = inOrder && (skipTotal || isKept(narrow(filters) ?? {}));
  const smallest = Math.min(held, matched, isPage ? pagesRead * pageSize : held);
  return times * smallest + (isChosen ? counted : 0) + details * listed + always;
}

function firstPage(filters: readonly EventFilter[]): EventQuery {
  return { filters, ascending: false, offset: 0n, limit: pageSize, skipTotal: false };
}

type Samples = Record<
  | ("authorization" | "user" | "largest" | "small" | "large_project" | "small_project" | "frequent_actor")
  | "rare_actor",
  string
>;

function allFilters(samples: Samples): Filtered[] {
  const one = (name: string, ...filters: EventFilter[]): Filtered => ({ name, filters });
  const week: EventFilter = { kind: "time", range: { from: at("2025-06-02"), to: at("2025-06-09") } };
  const year: EventFilter = { kind: "time", range: { from: at("2025-01-01"), to: undefined } };
  return [
    one("none"),
    one("authorization", { kind: "authorizationId", id: samples.authorization }),
    one("user", { kind: "userId", id: samples.user }),
    one("largest organization", { kind: "organizationId", id: samples.largest }),
    one("small organization", { kind: "organizationId", id: samples.small }),
    one("large project", { kind: "projectId", id: samples.large_project }),
    one("small project", { kind: "projectId", id: samples.small_project }),
    one("frequent actor", { kind: "actorId", id: samples.frequent_actor }),
    one("rare actor", { kind: "actorId", id: samples.rare_actor }),
    one("the command line", { kind: "actorId", id: "" }),
    one("common type", { kind: "types", types: ["user.grant.added"] }),
    one("rare type", { kind: "types", types: ["user.grant.cascade.removed"] }),
    one("no such type", { kind: "types", types: ["user.grant.reactivated"] }),
    one("two types", { kind: "types", types: ["user.grant.added", "user.grant.removed"] }),
    one("a week", week),
    one("a year", year),
    one("largest organization and a week", { kind: "organizationId", id: samples.largest }, week),
    one("frequent actor and a week", { kind: "actorId", id: samples.frequent_actor }, week),
  ];
}

function at(day: string): bigint {
  return BigInt(Date.parse(day)) * 1_000n;
}

async function pickSamples(client: pg.Client): Promise<Samples> {
  const { rows } = await client.query<Samples>(`
    select
      (select authorization_id from events where type = 'user.grant.changed' order by time limit 1) as "authorization",
      (select user_id from events where type = 'user.grant.changed' order by time limit 1) as "user",
      largest.id as largest,
      small.id as small,
      (select project_id from bench.places where organization = 0 and number = 0) as large_project,
      (select project_id from bench.places where organization = 100 and number = 0) as small_project,
      (select user_id from bench.callers where kind = 'instance') as frequent_actor,
      (select user_id from bench.slots where slot = small.first_slot) as rare_actor
    from bench.organizations largest
    join bench.organizations small on small.number = 100
    where largest.number = 0`);
  const [samples] = rows;
  if (samples === undefined) throw new Error("the world has no organizations");
  return samples;
}

/** A table for bench/PLANS.md: rows examined of those allowed, and the time inside Postgres; beyond it in bold. */
export function renderEvents(title: string, what: string, results: readonly EventResult[]): string {
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
