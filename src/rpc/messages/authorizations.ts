import type { Timestamp } from "@bufbuild/protobuf/wkt";
import {
  AuthorizationFieldName,
  type Authorization as AuthorizationMessage,
  type AuthorizationsSearchFilter,
  type Organization,
  type Project,
  type Role,
  State,
  type User,
} from "../../../gen/service/authorization/v2/authorization_pb.ts";
import { TextFilterMethod } from "../../../gen/service/filter/v2/filter_pb.ts";
import type { Authorization, State as StateOfAuthorization } from "../../authorization/authorization.ts";
import type { Filter, SortColumn, TextMatch } from "../../authorization/list.ts";
import type { Named } from "../../authorization/set-states.ts";
import type { Update } from "../../authorization/update-authorizations.ts";
import { fromInstant, toDateRange, toNanoseconds } from "./timestamps.ts";

/** Converts between the domain and messages, in both directions. Nothing else belongs here. */

/** Creates complete messages, so the library copies nothing into them. */
export function fromAuthorization(authorization: Authorization): AuthorizationMessage {
  const { id, creationDate, changeDate, project, organization, user, state, roles } = authorization;
  return {
    $typeName: "service.authorization.v2.Authorization",
    id,
    creationDate: fromInstant(creationDate),
    changeDate: fromInstant(changeDate),
    project: fromProject(project),
    organization: fromOrganization(organization),
    user: fromUser(user),
    state: fromState(state),
    roles: roles.map(fromRole),
  };
}

export function fromUser(user: Authorization["user"]): User {
  return { $typeName: "service.authorization.v2.User", ...user };
}

export function fromProject(project: Authorization["project"]): Project {
  return { $typeName: "service.authorization.v2.Project", ...project };
}

export function fromOrganization(organization: Authorization["organization"]): Organization {
  return { $typeName: "service.authorization.v2.Organization", ...organization };
}

export function fromRole(role: Authorization["roles"][number]): Role {
  return { $typeName: "service.authorization.v2.Role", ...role };
}

export function fromState(state: Authorization["state"]): State {
  return state === "active" ? State.ACTIVE : State.INACTIVE;
}

type NamedMessage = { readonly id: string; readonly ifUnchangedSince?: Timestamp | undefined };

export function toNamed({ id, ifUnchangedSince }: NamedMessage): Named {
  return { id, unchangedSince: ifUnchangedSince && toNanoseconds(ifUnchangedSince) };
}

export function toUpdate(message: NamedMessage & { readonly roleKeys: readonly string[] }): Update {
  return { ...toNamed(message), roleKeys: message.roleKeys };
}

export function toSortColumn(name: AuthorizationFieldName): SortColumn {
  return known(sortColumns[name]);
}

/** The filter must have passed validation. */
export function toFilter({ filter }: AuthorizationsSearchFilter): Filter {
  switch (filter.case) {
    case "authorizationIds":
      return { kind: "authorizationIds", ids: filter.value.ids };
    case "inUserIds":
      return { kind: "userIds", ids: filter.value.ids };
    case "projectIds":
      return { kind: "projectIds", ids: filter.value.ids };
    case "userId":
    case "organizationId":
    case "userOrganizationId":
    case "projectId":
    case "projectGrantId":
      return { kind: filter.case, id: filter.value.id };
    case "state":
      return { kind: "state", state: toState(filter.value.state) };
    case "userPreferredLoginName":
      return { kind: "userLoginName", match: toTextMatch(filter.value.loginName, filter.value.method) };
    case "userDisplayName":
      return { kind: "userDisplayName", match: toTextMatch(filter.value.displayName, filter.value.method) };
    case "projectName":
      return { kind: "projectName", match: toTextMatch(filter.value.name, filter.value.method) };
    case "organizationName":
      return { kind: "organizationName", match: toTextMatch(filter.value.name, filter.value.method) };
    case "roleKey":
      return { kind: "roleKey", match: toTextMatch(filter.value.key, filter.value.method) };
    case "roleKeys":
      return { kind: "roleKeys", keys: filter.value.keys };
    case "created":
    case "changed":
      return { kind: filter.case, range: toDateRange(filter.value) };
    case "anyOf":
    case "allOf":
      return { kind: filter.case, filters: filter.value.filters.map(toFilter) };
    case "not":
      return { kind: "not", filter: toFilter(filter.value) };
    case undefined:
      throw new Error("a filter without a kind passed validation");
  }
}

/** The state must be one of the two. */
export function toState(state: State): StateOfAuthorization {
  return state === State.ACTIVE ? "active" : "inactive";
}

export function toTextMatch(text: string, method: TextFilterMethod): TextMatch {
  return { text, ...known(textMethods[method]) };
}

function known<T>(meaning: T | undefined): T {
  if (meaning === undefined) throw new Error("an enum value without a meaning passed validation");
  return meaning;
}

const textMethods: Record<number, Omit<TextMatch, "text">> = {
  [TextFilterMethod.EQUALS]: { method: "equals", ignoreCase: false },
  [TextFilterMethod.EQUALS_IGNORE_CASE]: { method: "equals", ignoreCase: true },
  [TextFilterMethod.STARTS_WITH]: { method: "startsWith", ignoreCase: false },
  [TextFilterMethod.STARTS_WITH_IGNORE_CASE]: { method: "startsWith", ignoreCase: true },
  [TextFilterMethod.CONTAINS]: { method: "contains", ignoreCase: false },
  [TextFilterMethod.CONTAINS_IGNORE_CASE]: { method: "contains", ignoreCase: true },
  [TextFilterMethod.ENDS_WITH]: { method: "endsWith", ignoreCase: false },
  [TextFilterMethod.ENDS_WITH_IGNORE_CASE]: { method: "endsWith", ignoreCase: true },
};

const sortColumns: Record<number, SortColumn> = {
  [AuthorizationFieldName.UNSPECIFIED]: "creationDate",
  [AuthorizationFieldName.CREATED_DATE]: "creationDate",
  [AuthorizationFieldName.CHANGED_DATE]: "changeDate",
  [AuthorizationFieldName.ID]: "id",
  [AuthorizationFieldName.USER_ID]: "userId",
  [AuthorizationFieldName.PROJECT_ID]: "projectId",
  [AuthorizationFieldName.ORGANIZATION_ID]: "organizationId",
  [AuthorizationFieldName.USER_ORGANIZATION_ID]: "userOrganizationId",
  [AuthorizationFieldName.USER_DISPLAY_NAME]: "userDisplayName",
  [AuthorizationFieldName.PROJECT_NAME]: "projectName",
  [AuthorizationFieldName.ORGANIZATION_NAME]: "organizationName",
};
