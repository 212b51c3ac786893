import type { Authorization, AuthorizationEvent, AuthorizationsSearchFilter } from "@authorization-service/client";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { EventFilter } from "../history/search.ts";

/** The filter of events that says the same; none if only some of the events that match could be told apart. */
export function eventFilterOf({ filter }: AuthorizationsSearchFilter): EventFilter[] {
  switch (filter.case) {
    case "userId":
    case "projectId":
    case "organizationId":
      return [{ filter: { case: filter.case, value: { id: filter.value.id } } }];
    case "inUserIds":
      return filter.value.ids.length === 1
        ? [{ filter: { case: "userId", value: { id: filter.value.ids[0] ?? "" } } }]
        : [];
    default:
      return [];
  }
}

/** Whether the rows don't show an event yet: a later change of one of them, or a new assignment. */
export function isNew({ authorizationId, type, time }: AuthorizationEvent, rows: readonly Authorization[]): boolean {
  const row = rows.find(({ id }) => id === authorizationId);
  if (row === undefined) return type === "user.grant.added";
  return nanosecondsOf(time) > nanosecondsOf(row.changeDate);
}

function nanosecondsOf(time: Timestamp | undefined): bigint {
  return time === undefined ? 0n : time.seconds * 1_000_000_000n + BigInt(time.nanos);
}
