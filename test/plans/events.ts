import type pg from "pg";
import type { EventFilter } from "../../src/authorization/history.ts";
import type { Database } from "../../src/postgres/database/database.ts";
import { isKept } from "../../src/postgres/history/event-filters.ts";
import { eventStatement, listEvents } from "../../src/postgres/history/list-events.ts";
import { narrow } from "../../src/postgres/history/narrowing.ts";
import { pageSize } from "./bound.ts";
import { at, type Extent, type Filtered, type History } from "./event-lists.ts";

/** As for authorizations (test/plans/bound.ts): for the page and for the total, and as often again. */
const times = 4;
const pagesRead = 20;
/** Each event with its actor, user, project, grant and organization, up to three roles and keys, and who may be known. */
const details = 20;
/** For the numbers that totals are added up from, of each type in up to fifty places. */
const always = 500;
/** Of who did it, up to so many entries are counted on either side to choose the shorter way. */
const counted = 2 * 10_001;

/** The history of assignments. */
export async function eventLists(client: pg.Client, database: Database): Promise<History<EventFilter>> {
  return {
    name: "events",
    viewer: "IAM_OWNER_VIEWER",
    lists: allFilters(await pickSamples(client)),
    list: (asker, query) => listEvents(database, async () => [], asker, query, new AbortController().signal),
    statement: eventStatement,
    keepsTotal,
    boundOf,
  };
}

function keepsTotal(filters: readonly EventFilter[]): boolean {
  return isKept(narrow(filters) ?? {});
}

function boundOf({ filters, skipTotal, matched, held, listed }: Extent<EventFilter>): number {
  const inOrder = filters.every(({ kind }) => kind === "organizationId" || kind === "projectId" || kind === "time");
  const isChosen = filters.some(({ kind }) => kind === "actorId");
  const isPage = inOrder && (skipTotal || keepsTotal(filters));
  const smallest = Math.min(held, matched, isPage ? pagesRead * pageSize : held);
  return times * smallest + (isChosen ? counted : 0) + details * listed + always;
}

type Samples = Record<
  | ("authorization" | "user" | "largest" | "small" | "large_project" | "small_project" | "frequent_actor")
  | "rare_actor",
  string
>;

function allFilters(samples: Samples): Filtered<EventFilter>[] {
  const one = (name: string, ...filters: EventFilter[]): Filtered<EventFilter> => ({ name, filters });
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
