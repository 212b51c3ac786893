import type pg from "pg";
import type { Caller as Asker } from "../../src/authorization/permissions.ts";
import type { DirectoryEventFilter, DirectoryEventQuery } from "../../src/directory/history.ts";
import type { Database } from "../../src/postgres/database/database.ts";
import { directoryEventStatement, listDirectoryEvents } from "../../src/postgres/history/list-directory-events.ts";
import { pageSize } from "./bound.ts";
import type { Caller } from "./callers.ts";
import type { EventResult } from "./events.ts";
import { examine } from "./explain.ts";

type Filtered = { readonly name: string; readonly filters: readonly DirectoryEventFilter[] };

/** As for authorizations (test/plans/bound.ts): for the page and for the total, and as often again. */
const times = 4;
const pagesRead = 20;
/** Each event with its actor. */
const details = 10;
/** For places that hide something, and the smallest lists. */
const always = 500;
/** Up to so many entries are counted on each way to choose the shortest one. */
const counted = 10_001;

/** Runs every filter alone, and a page further on, for every kind of caller. */
export async function runDirectoryEvents(
  client: pg.Client,
  database: Database,
  callers: readonly Caller[],
  only: string,
): Promise<EventResult[]> {
  const results: EventResult[] = [];
  const everything: Asker = { userId: "", entries: [{ scope: { kind: "instance" }, roles: ["IAM_OWNER"] }] };
  const list = (asker: Asker, query: DirectoryEventQuery) =>
    listDirectoryEvents(database, asker, query, new AbortController().signal);
  const total = async (asker: Asker, filters: readonly DirectoryEventFilter[]) =>
    (await list(asker, { ...firstPage(filters), limit: 1 })).total;
  const lists = allFilters(await pickSamples(client)).filter(({ name }) => `directory: ${name}`.includes(only));
  for (const { name, filters } of lists) {
    const matched = await total(everything, filters);
    for (const { kind, asker } of callers) {
      const held = await total(asker, []);
      const run = async (filter: string, query: DirectoryEventQuery) => {
        const statement = directoryEventStatement(asker, query);
        if (statement === undefined) throw new Error("a list of the plans matches nothing whatever there is");
        const examined = await examine(client, statement, false);
        const isPage = filters.length === 0 && query.skipTotal;
        const smallest = Math.min(held, matched, isPage ? pagesRead * pageSize : held);
        const choices = filters.length === 0 ? 0 : counted * (filters.length + 1);
        const bound = times * smallest + choices + details * examined.listed + always;
        results.push({ ...examined, filter, caller: kind, bound });
      };
      await run(name, firstPage(filters));
      await run(`${name}, without the total`, { ...firstPage(filters), skipTotal: true });
      if (filters.length > 0) continue;
      const { events } = await list(asker, firstPage([]));
      const after = events.at(-1);
      await run(`${name}, oldest first`, { ...firstPage([]), ascending: true });
      if (after !== undefined) await run(`${name}, second page`, { ...firstPage([]), after, skipTotal: true });
    }
  }
  return results;
}

function firstPage(filters: readonly DirectoryEventFilter[]): DirectoryEventQuery {
  return { filters, ascending: false, offset: 0n, limit: pageSize, skipTotal: false };
}

type Samples = Record<"user" | "role" | "largest" | "small" | "project" | "frequent_actor" | "rare_actor", string>;

function allFilters(samples: Samples): Filtered[] {
  const one = (name: string, ...filters: DirectoryEventFilter[]): Filtered => ({ name, filters });
  const week: DirectoryEventFilter = { kind: "time", range: { from: at("2025-06-02"), to: at("2025-06-09") } };
  return [
    one("none"),
    one("id of a user", { kind: "id", id: samples.user }),
    one("key of many roles", { kind: "id", id: samples.role }),
    one("user", { kind: "userId", id: samples.user }),
    one("largest organization", { kind: "organizationId", id: samples.largest }),
    one("small organization", { kind: "organizationId", id: samples.small }),
    one("project", { kind: "projectId", id: samples.project }),
    one("frequent actor", { kind: "actorId", id: samples.frequent_actor }),
    one("rare actor", { kind: "actorId", id: samples.rare_actor }),
    one("common kind", { kind: "types", types: ["user"] }),
    one("rare kind", { kind: "types", types: ["projectGrant"] }),
    one("tokens", { kind: "types", types: ["token"] }),
    one("a week", week),
    one(
      "largest organization and a rare kind",
      { kind: "organizationId", id: samples.largest },
      { kind: "types", types: ["projectGrant"] },
    ),
    one("frequent actor and a week", { kind: "actorId", id: samples.frequent_actor }, week),
  ];
}

function at(day: string): bigint {
  return BigInt(Date.parse(day)) * 1_000n;
}

async function pickSamples(client: pg.Client): Promise<Samples> {
  const { rows } = await client.query<Samples>(`
    select
      (select user_id from bench.slots where slot = largest.first_slot + 100) as "user",
      'viewer' as role,
      largest.id as largest,
      small.id as small,
      (select id from bench.projects where number = 0) as project,
      (select user_id from bench.callers where kind = 'instance') as frequent_actor,
      (select user_id from bench.slots where slot = small.first_slot) as rare_actor
    from bench.organizations largest
    join bench.organizations small on small.number = 100
    where largest.number = 0`);
  const [samples] = rows;
  if (samples === undefined) throw new Error("the world has no organizations");
  return samples;
}
