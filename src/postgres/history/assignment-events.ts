import sql, { type Sql } from "sql-template-tag";
import { type EventType, eventTypes, type NamedEvent } from "../../authorization/event.ts";
import { type Caller, visibilityOf } from "../../authorization/permissions.ts";
import { withinBytes } from "../page/within-bytes.ts";
import { events } from "../seen/places.ts";
import { eachPlace, isOnlyOwn, isSeen, reachOf, reachTable } from "../seen/reach.ts";
import { conditionsOn, type HistoryTable, inTime } from "./history-table.ts";
import type { ListedHistory } from "./list-history.ts";
import { type ListedEventRow, selectListedEvents, toNamedEvent } from "./listed-events.ts";
import { idsIn, type Narrowing } from "./narrowing.ts";
import { byTime, ofTypes, type Seen } from "./ways.ts";

type Id = "authorizationId" | "userId" | "projectId" | "organizationId";

const table: HistoryTable<Id, EventType> = {
  view: "kept_events",
  type: sql`e.type`,
  types: eventTypes,
  has: {
    authorizationId: (id) => sql`e.authorization_id = ${id}::text`,
    userId: (id) => sql`e.user_id = ${id}::text`,
    projectId: (id) => sql`e.project_id = ${id}::text`,
    organizationId: (id) => sql`e.organization_id = ${id}::text`,
  },
  few: ["authorizationId", "userId"],
};

/** The history of assignments. */
export const assignmentEvents: ListedHistory<Id, EventType, ListedEventRow, NamedEvent> = {
  ...table,
  seenBy,
  listed: (caller, page) => withinBytes(selectListedEvents(caller, page), bytesOfRoles),
  toEvent: toNamedEvent,
};

/** Every event is in one place, so the filters by organization and project narrow the places of the caller. */
function seenBy(caller: Caller, narrowing: Narrowing<Id, EventType>): Seen {
  const [[organizationId], [projectId]] = [idsIn(narrowing, "organizationId"), idsIn(narrowing, "projectId")];
  const reach = reachOf(visibilityOf(caller), { organizationId, projectId }, events);
  const conditions = [...inTime(narrowing), ...conditionsOn(table, narrowing)];
  const inPlaces = eachPlace(reach, sql`e`).map(({ each, places, holds }) => {
    return { ...byTime(table), each, places, holds, conditions };
  });
  const own = isOnlyOwn(reach, sql`e`);
  const outside = reach.owner === undefined ? [] : [{ ...byTime(table), holds: own, conditions }];
  const isEverywhere = reach.everything || inPlaces.length === 0;
  return {
    tables: reachTable(reach),
    size: reach.size,
    isSeen: isSeen(reach, sql`e`),
    isOwn: !reach.everything && inPlaces.length === 0 ? own : undefined,
    ways: isEverywhere ? [] : [[...inPlaces, ...outside]],
    everywhere: [ofTypes(table, eventTypes, conditions)],
  };
}

/** There may be 1,000 roles, with long names. Even the shortest one takes some 100 bytes when the server answers. */
const bytesOfRoles: Sql = sql`
  octet_length(l.roles::text) + 64 * json_array_length(l.roles)
    + octet_length(l."roleKeysBefore"::text) + 32 * cardinality(l."roleKeysBefore")`;
