import type { ListAuthorizationEventsRequestSchema } from "@authorization-service/client";
import type { ListDirectoryEventsRequestSchema } from "@authorization-service/client/directory";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { momentAfter, type Position } from "./entry.ts";
import { type HistorySearch, rangeOf } from "./search.ts";

export type EventFilter = NonNullable<MessageInitShape<typeof ListAuthorizationEventsRequestSchema>["filters"]>[number];
type DirectoryFilter = NonNullable<MessageInitShape<typeof ListDirectoryEventsRequestSchema>["filters"]>[number];

/** The filters of both histories. Undefined for one that can't have what is looked for. */
export type HistoryFilters = {
  readonly assignments: EventFilter[] | undefined;
  readonly directory: DirectoryFilter[] | undefined;
};

/** @param behind where the previous page ended */
export function filtersOf(search: HistorySearch, behind?: Position): HistoryFilters {
  const { assignment, role, types, kinds, kind } = search;
  // Choosing what happened in one of the histories leaves the other one out.
  const isOfAssignments = kind !== "directory" && role === undefined && (types !== undefined || kinds === undefined);
  const isOfDirectory =
    kind !== "assignments" && assignment === undefined && (kinds !== undefined || types === undefined);
  const shared = [
    ...filter("userId", search.user, inMessage),
    ...filter("actorId", search.actor, inMessage),
    ...filter("projectId", search.project, inMessage),
    ...filter("organizationId", search.organization, inMessage),
    ...filter("time", search.from ?? search.to, () => rangeOf(search)),
    ...filter("time", behind, (position) => ({ to: momentAfter(position) })),
  ];
  const ofAssignments = [
    ...filter("authorizationId", assignment, inMessage),
    ...filter("types", types, (names) => ({ types: names.map((type) => `user.grant.${type}`) })),
  ];
  const ofDirectory = [
    ...filter("kinds", kinds, (names) => ({ kinds: [...names] })),
    ...filter("kinds", role, () => ({ kinds: ["projectRole"] })),
    ...filter("id", role, inMessage),
  ];
  return {
    assignments: isOfAssignments ? [...shared, ...ofAssignments] : undefined,
    directory: isOfDirectory ? [...shared, ...ofDirectory] : undefined,
  };
}

const inMessage = (id: string) => ({ id });

function filter<Case extends string, Given, Value>(
  name: Case,
  given: Given | undefined,
  messageOf: (given: Given) => Value,
) {
  return given === undefined ? [] : [{ filter: { case: name, value: messageOf(given) } }];
}
