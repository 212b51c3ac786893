import type { AuthorizationEvent, ListAuthorizationEventsRequestSchema } from "@authorization-service/client";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { rangeOf } from "./range.ts";
import type { HistorySearch } from "./search.ts";

type Request = MessageInitShape<typeof ListAuthorizationEventsRequestSchema>;
type Filter = NonNullable<Request["filters"]>[number];

export const pageSize = 100;

/** The request for a page of the history. */
export function requestOf(search: HistorySearch, now: Date): Request {
  return { filters: filtersOf(search, now), pagination: { limit: pageSize, pageToken: search.page ?? "" } };
}

/** The request for the previous event of the same assignment. */
export function requestOfEventBefore({ authorizationId, time }: AuthorizationEvent): Request {
  return {
    filters: [
      { filter: { case: "authorizationId", value: { id: authorizationId } } },
      ...(time ? [{ filter: { case: "time", value: { to: time } } } as const] : []),
    ],
    pagination: { limit: 1, skipTotal: true },
  };
}

function filtersOf(search: HistorySearch, now: Date): Filter[] {
  const { user, actor, project, organization, assignment, types } = search;
  const { from, to } = rangeOf(search, now);
  const time = { ...(from && { from: timestampFromDate(from) }), ...(to && { to: timestampFromDate(to) }) };
  const filters: (Filter["filter"] | undefined)[] = [
    user === undefined ? undefined : { case: "userId", value: { id: user } },
    actor === undefined ? undefined : { case: "actorId", value: { id: actor } },
    project === undefined ? undefined : { case: "projectId", value: { id: project } },
    organization === undefined ? undefined : { case: "organizationId", value: { id: organization } },
    assignment === undefined ? undefined : { case: "authorizationId", value: { id: assignment } },
    types && { case: "types", value: { types: types.map((type) => `user.grant.${type}`) } },
    from || to ? { case: "time", value: time } : undefined,
  ];
  return filters.filter((filter) => filter !== undefined).map((filter) => ({ filter }));
}
