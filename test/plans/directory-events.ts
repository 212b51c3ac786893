import type pg from "pg";
import type { DirectoryEventFilter } from "../../src/directory/history.ts";
import type { Database } from "../../src/postgres/database/database.ts";
import { directoryEventStatement, listDirectoryEvents } from "../../src/postgres/history/list-directory-events.ts";
import { pageSize } from "./bound.ts";
import { at, type Extent, type Filtered, type History } from "./event-lists.ts";

/** As for authorizations (test/plans/bound.ts): for the page and for the total, and as often again. */
const times = 4;
const pagesRead = 20;
/** Each event with its actor. */
const details = 10;
/** For places that hide something, and the smallest lists. */
const always = 500;
/**
 * Up to so many entries are counted on each way to choose the shortest one; for a total, four times as many again as long
 * as none ends.
 */
const counted = 10_001;

/** The history of the directory. */
export async function directoryEventLists(
  client: pg.Client,
  database: Database,
): Promise<History<DirectoryEventFilter>> {
  return {
    name: "directory",
    viewer: "IAM_OWNER",
    lists: allFilters(await pickSamples(client)),
    list: (asker, query) => listDirectoryEvents(database, async () => [], asker, query, new AbortController().signal),
    statement: directoryEventStatement,
    keepsTotal: () => false,
    boundOf,
  };
}

function boundOf({ filters, skipTotal, matched, held, listed }: Extent<DirectoryEventFilter>): number {
  const isPage = filters.length === 0 && skipTotal;
  const smallest = Math.min(held, matched, isPage ? pagesRead * pageSize : held);
  const countedOnEach = skipTotal ? counted : Math.max(counted, 2 * smallest);
  const choices = filters.length === 0 ? 0 : countedOnEach * (filters.length + 1);
  return times * smallest + choices + details * listed + always;
}

type Samples = Record<"user" | "role" | "largest" | "small" | "project" | "frequent_actor" | "rare_actor", string>;

function allFilters(samples: Samples): Filtered<DirectoryEventFilter>[] {
  const one = (name: string, ...filters: DirectoryEventFilter[]): Filtered<DirectoryEventFilter> => ({ name, filters });
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
