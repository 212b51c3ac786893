import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { type Authorization, type Role, StateSchema } from "../../../gen/service/authorization/v2/authorization_pb.ts";
import type { ListAuthorizationsResponse } from "../../../gen/service/authorization/v2/authorization_service_pb.ts";
import { rfc3339 } from "../../authorization/instant.ts";

/**
 * Writes the JSON of a list as the library would, which can write any message, in a tenth of the time
 * (bench/RESULTS.md). A property test proves that the bytes are the same.
 */
export function listJson({ pagination, authorizations }: ListAuthorizationsResponse): string {
  return JSON.stringify({
    pagination: withoutType(pagination),
    authorizations: authorizations.map(authorizationJson),
  });
}

/** The fields in the order of their numbers. What nests has the names and the order of its message already. */
function authorizationJson(authorization: Authorization) {
  const { id, creationDate, changeDate, project, organization, user, state, roles, expirationDate, expired } =
    authorization;
  return {
    id,
    creationDate: creationDate && timeJson(creationDate),
    changeDate: changeDate && timeJson(changeDate),
    project: withoutType(project),
    organization: withoutType(organization),
    user: withoutType(user),
    state: StateSchema.value[state]?.name,
    roles: roles.map(withoutType<Role>),
    expirationDate: expirationDate && timeJson(expirationDate),
    expired,
  };
}

function withoutType<T extends { readonly $typeName: string }>(message: T | undefined) {
  if (message === undefined) return undefined;
  const { $typeName, ...fields } = message;
  return fields;
}

function timeJson({ seconds, nanos }: Timestamp): string {
  return rfc3339(Number(seconds), nanos / 1_000);
}
