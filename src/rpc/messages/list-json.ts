import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { type Authorization, State } from "../../../gen/service/authorization/v2/authorization_pb.ts";
import type { ListAuthorizationsResponse } from "../../../gen/service/authorization/v2/authorization_service_pb.ts";

/**
 * Writes the JSON of lists, four times as fast as the library, which can write any message (bench/RESULTS.md). A
 * property test proves that the bytes are the same.
 */
export function listJson({ pagination, authorizations }: ListAuthorizationsResponse): string {
  return JSON.stringify({
    pagination: pagination && {
      totalResult: pagination.totalResult,
      appliedLimit: pagination.appliedLimit,
      nextPageToken: pagination.nextPageToken,
    },
    authorizations: authorizations.map(authorizationJson),
  });
}

/** The fields in the order of their numbers, without unset ones. */
function authorizationJson(message: Authorization) {
  const { id, creationDate, changeDate, project, organization, user, state, roles } = message;
  return {
    id,
    creationDate: creationDate && timestampJson(creationDate),
    changeDate: changeDate && timestampJson(changeDate),
    project: project && { id: project.id, name: project.name, organizationId: project.organizationId },
    organization: organization && { id: organization.id, name: organization.name },
    user: user && {
      id: user.id,
      preferredLoginName: user.preferredLoginName,
      displayName: user.displayName,
      avatarUrl: user.avatarUrl,
      organizationId: user.organizationId,
    },
    state: stateNames[state] ?? state,
    roles: roles.map(({ key, displayName, group }) => ({ key, displayName, group })),
  };
}

const stateNames: Record<number, string> = {
  [State.UNSPECIFIED]: "STATE_UNSPECIFIED",
  [State.ACTIVE]: "STATE_ACTIVE",
  [State.INACTIVE]: "STATE_INACTIVE",
};

/** RFC 3339 with 0, 3, 6 or 9 fractional digits. */
function timestampJson({ seconds, nanos }: Timestamp): string {
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  if (nanos === 0) return `${whole}Z`;
  const digits = String(nanos).padStart(9, "0");
  const length = nanos % 1_000_000 === 0 ? 3 : nanos % 1000 === 0 ? 6 : 9;
  return `${whole}.${digits.slice(0, length)}Z`;
}
