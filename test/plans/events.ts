import type { EventFilter } from "../../src/authorization/history.ts";
import type { DirectoryEventFilter } from "../../src/directory/history.ts";
import { assignmentEvents } from "../../src/postgres/history/assignment-events.ts";
import { directoryEvents } from "../../src/postgres/history/directory-events.ts";
import { at, type Filtered, filtered } from "./event-lists.ts";
import type { Samples } from "./samples.ts";

const week = { kind: "time", range: { from: at("2025-06-02"), to: at("2025-06-09") } } as const;

/** The history of assignments. */
export function eventLists(samples: Samples) {
  const inOrder = ["organizationId", "projectId", "time"];
  return { name: "events", history: assignmentEvents, lists: allFilters(samples), inOrder };
}

function allFilters(samples: Samples): Filtered<EventFilter>[] {
  const one = filtered<EventFilter>;
  const year: EventFilter = { kind: "time", range: { from: at("2025-01-01"), to: undefined } };
  return [
    one("none"),
    one("authorization", { kind: "authorizationId", id: samples.changed_authorization }),
    one("user", { kind: "userId", id: samples.user_id }),
    one("largest organization", { kind: "organizationId", id: samples.largest_organization }),
    one("small organization", { kind: "organizationId", id: samples.small_organization }),
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
    one("largest organization and a week", { kind: "organizationId", id: samples.largest_organization }, week),
    one("frequent actor and a week", { kind: "actorId", id: samples.frequent_actor }, week),
  ];
}

/** The history of the directory. */
export function directoryEventLists(samples: Samples) {
  return { name: "directory", history: directoryEvents, lists: directoryFilters(samples), inOrder: [] };
}

function directoryFilters(samples: Samples): Filtered<DirectoryEventFilter>[] {
  const one = filtered<DirectoryEventFilter>;
  return [
    one("none"),
    one("id of a user", { kind: "id", id: samples.user_id }),
    one("key of many roles", { kind: "id", id: "viewer" }),
    one("user", { kind: "userId", id: samples.user_id }),
    one("largest organization", { kind: "organizationId", id: samples.largest_organization }),
    one("small organization", { kind: "organizationId", id: samples.small_organization }),
    one("project", { kind: "projectId", id: samples.large_project }),
    one("frequent actor", { kind: "actorId", id: samples.frequent_actor }),
    one("rare actor", { kind: "actorId", id: samples.rare_actor }),
    one("common kind", { kind: "types", types: ["user"] }),
    one("rare kind", { kind: "types", types: ["projectGrant"] }),
    one("tokens", { kind: "types", types: ["token"] }),
    one("a week", week),
    one(
      "largest organization and a rare kind",
      { kind: "organizationId", id: samples.largest_organization },
      { kind: "types", types: ["projectGrant"] },
    ),
    one("frequent actor and a week", { kind: "actorId", id: samples.frequent_actor }, week),
  ];
}
