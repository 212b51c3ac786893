import type { ListAuthorizationEventsRequestSchema } from "@authorization-service/client";
import type { ListDirectoryEventsRequestSchema } from "@authorization-service/client/directory";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { momentAfter, type Position } from "./entry.ts";
import { rangeOf } from "./range.ts";
import type { HistorySearch } from "./search.ts";

export type EventFilter = NonNullable<MessageInitShape<typeof ListAuthorizationEventsRequestSchema>["filters"]>[number];
type DirectoryFilter = NonNullable<MessageInitShape<typeof ListDirectoryEventsRequestSchema>["filters"]>[number];

/** The filters of both histories. Undefined for one that can't have what is looked for. */
export type HistoryFilters = {
  readonly assignments: EventFilter[] | undefined;
  readonly directory: DirectoryFilter[] | undefined;
};

/** @param behind where the previous page ended */
export function filtersOf(search: HistorySearch, now: Date, behind?: Position): HistoryFilters {
  const { assignment, role, types, kinds, kind } = search;
  // Choosing what happened in one of the histories leaves the other one out.
  const isOfAssignments = kind !== "directory" && role === undefined && (types !== undefined || kinds === undefined);
  const isOfDirectory =
    kind !== "assignments" && assignment === undefined && (kinds !== undefined || types === undefined);
  const shared = sharedFilters(search, now, behind);
  return {
    assignments: isOfAssignments ? [...shared, ...assignmentFilters(search)] : undefined,
    directory: isOfDirectory ? [...shared, ...directoryFilters(search)] : undefined,
  };
}

function sharedFilters({ user, actor, project, organization, ...search }: HistorySearch, now: Date, behind?: Position) {
  const time = rangeOf(search, now);
  return [
    ...idFilter("userId", user),
    ...idFilter("actorId", actor),
    ...idFilter("projectId", project),
    ...idFilter("organizationId", organization),
    ...(time.from || time.to ? [{ filter: { case: "time" as const, value: time } }] : []),
    ...(behind ? [{ filter: { case: "time" as const, value: { to: momentAfter(behind) } } }] : []),
  ];
}

function assignmentFilters({ assignment, types }: HistorySearch): EventFilter[] {
  const names = types?.map((type) => `user.grant.${type}`);
  return [
    ...idFilter("authorizationId", assignment),
    ...(names ? [{ filter: { case: "types" as const, value: { types: names } } }] : []),
  ];
}

function directoryFilters({ kinds, role }: HistorySearch): DirectoryFilter[] {
  const ofRole = role === undefined ? [] : [{ filter: { case: "kinds" as const, value: { kinds: ["projectRole"] } } }];
  return [
    ...(kinds ? [{ filter: { case: "kinds" as const, value: { kinds: [...kinds] } } }] : []),
    ...ofRole,
    ...idFilter("id", role),
  ];
}

function idFilter<Case extends string>(name: Case, id: string | undefined) {
  return id === undefined ? [] : [{ filter: { case: name, value: { id } } }];
}
