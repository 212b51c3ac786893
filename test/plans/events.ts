import type pg from "pg";
import type { EventFilter } from "../../src/authorization/history.ts";
import { assignmentEvents } from "../../src/postgres/history/assignment-events.ts";
import { at, type Filtered } from "./event-lists.ts";

/** The history of assignments. */
export async function eventLists(client: pg.Client) {
  const inOrder = ["organizationId", "projectId", "time"];
  return { name: "events", history: assignmentEvents, lists: allFilters(await pickSamples(client)), inOrder };
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
