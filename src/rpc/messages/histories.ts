import type { AuthorizationEventsSearchFilter } from "../../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import type { DirectoryEventsSearchFilter } from "../../../gen/service/directory/v1/directory_history_service_pb.ts";
import type { DateRangeFilter } from "../../../gen/service/filter/v2/filter_pb.ts";
import type { EventPosition } from "../../authorization/history.ts";
import { type Positions, readInstant } from "./page.ts";
import { toDateRange } from "./timestamps.ts";

/** Where a page of events ends: a time and a sequence. */
export const eventPositions: Positions<EventPosition> = {
  time: readInstant,
  // Postgres can store any number of eighteen digits, and there will never be more events.
  sequence: (part) => (/^\d{1,18}$/.test(part) ? part : undefined),
};

/**
 * Reads filters of a history, which must have passed validation. The compiler can't know that the case and the value of one
 * belong together.
 *
 * @param types all types of events of that history
 */
export function historyFilters<Filter>(types: readonly string[]) {
  return ({ filter }: AuthorizationEventsSearchFilter | DirectoryEventsSearchFilter): Filter => {
    const { case: kind, value } = filter;
    if (kind === undefined) throw new Error("a filter without a kind passed validation");
    if ("id" in value) return { kind, id: value.id } as Filter;
    const asked = "types" in value ? value.types : "kinds" in value ? value.kinds : undefined;
    if (asked === undefined) return { kind, range: toDateRange(value as DateRangeFilter) } as Filter;
    return { kind: "types", types: types.filter((type) => asked.includes(type)) } as Filter;
  };
}
