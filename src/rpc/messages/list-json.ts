import type { PaginationResponse } from "../../../gen/service/filter/v2/filter_pb.ts";
import type { Authorization, State } from "../../authorization/authorization.ts";
import { toRfc3339 } from "../../authorization/instant.ts";

/**
 * Writes the JSON of a list as the library would, which can write any message, but without making the messages, in a
 * tenth of the time (bench/RESULTS.md). A property test proves that the bytes are the same.
 */
export function listJson(pagination: PaginationResponse, authorizations: readonly Authorization[]): string {
  const { totalResult, appliedLimit, nextPageToken } = pagination;
  return JSON.stringify({
    pagination: { totalResult, appliedLimit, nextPageToken },
    authorizations: authorizations.map(authorizationJson),
  });
}

/** The fields in the order of their numbers. What nests has the names and the order of its message already. */
function authorizationJson(authorization: Authorization) {
  const { id, creationDate, changeDate, project, organization, user, state, roles } = authorization;
  return {
    id,
    creationDate: toRfc3339(creationDate),
    changeDate: toRfc3339(changeDate),
    project,
    organization,
    user,
    state: stateNames[state],
    roles,
  };
}

const stateNames: Record<State, string> = { active: "STATE_ACTIVE", inactive: "STATE_INACTIVE" };
