import type pg from "pg";
import type { DirectoryEventFilter } from "../../src/directory/history.ts";
import { directoryEvents } from "../../src/postgres/history/directory-events.ts";
import { at, type Filtered } from "./event-lists.ts";

/** The history of the directory. */
export async function directoryEventLists(client: pg.Client) {
  return { name: "directory", history: directoryEvents, lists: allFilters(await pickSamples(client)), inOrder: [] };
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
