import type { Message } from "@bufbuild/protobuf";
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
import type {
  CreateAuthorizationRequest,
  UpdateAuthorizationRequest,
} from "../../../gen/service/authorization/v2/authorization_service_pb.ts";
import type { ProjectsSearchFilter, UsersSearchFilter } from "../../../gen/service/directory/v1/look_up_pb.ts";
import { TextFilterMethod } from "../../../gen/service/filter/v2/filter_pb.ts";
import type { Authorization, State as StateOfAuthorization } from "../../authorization/authorization.ts";
import {
  type Filter,
  type FilterValues,
  type SortColumn,
  sortColumns,
  type TextMatch,
} from "../../authorization/list.ts";
import type { Named } from "../../authorization/set-states.ts";
import type { Assignment } from "../../authorization/store.ts";
import type { Update } from "../../authorization/update-authorizations.ts";
import { fromInstant, toDateRange, toInstant, toNanoseconds } from "./timestamps.ts";

/** Converts between the domain and messages, in both directions. Nothing else belongs here. */

/** Creates complete messages, so the library copies nothing into them. */
export function fromAuthorization(authorization: Authorization): AuthorizationMessage {
  const { id, creationDate, changeDate, project, organization, user, state, roles, expirationDate, expired } =
    authorization;
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
    ...(expirationDate !== undefined && { expirationDate: fromInstant(expirationDate) }),
    expired,
  };
}

/** For messages with the fields of what they are made of. */
function typed<Of extends Message>($typeName: Of["$typeName"]) {
  return (fields: Omit<Of, keyof Message>) => ({ $typeName, ...fields }) as Of;
}

export const fromUser = typed<User>("service.authorization.v2.User");
export const fromProject = typed<Project>("service.authorization.v2.Project");
export const fromOrganization = typed<Organization>("service.authorization.v2.Organization");
export const fromRole = typed<Role>("service.authorization.v2.Role");

export function fromState(state: Authorization["state"]): State {
  return state === "active" ? State.ACTIVE : State.INACTIVE;
}

type NamedMessage = { readonly id: string; readonly ifUnchangedSince?: Timestamp | undefined };

export function toNamed({ id, ifUnchangedSince }: NamedMessage): Named {
  return { id, unchangedSince: ifUnchangedSince && toNanoseconds(ifUnchangedSince) };
}

type UpdateMessage = NamedMessage &
  Pick<UpdateAuthorizationRequest, "roleKeys" | "expirationDate" | "removeExpiration">;

export function toUpdate(message: UpdateMessage): Update {
  const ending = message.removeExpiration ? "infinity" : toInstant(message.expirationDate);
  return { ...toNamed(message), roleKeys: message.roleKeys, ending };
}

export function toAssignment(message: CreateAuthorizationRequest, id: string): Assignment {
  const { userId, projectId, organizationId, roleKeys, expirationDate } = message;
  return { id, userId, projectId, organizationId, roleKeys, ending: toInstant(expirationDate) };
}

export function toSortColumn(name: AuthorizationFieldName): SortColumn {
  return known(columnOf.get(name));
}

/** The filter must have passed validation. */
export function toFilter({ filter }: AuthorizationsSearchFilter): Filter {
  switch (filter.case) {
    case "anyOf":
    case "allOf":
      return { kind: filter.case, filters: filter.value.filters.map(toFilter) };
    case "not":
      return { kind: "not", filter: toFilter(filter.value) };
    case undefined:
      throw new Error("a filter without a kind passed validation");
    default:
      filter.case satisfies keyof FilterValues;
      // The compiler can't know that a case and its value belong together.
      return { kind: filter.case, ...toValue(filter.value) } as Filter;
  }
}

type Compared =
  | Exclude<AuthorizationsSearchFilter["filter"], { case: undefined | "anyOf" | "allOf" | "not" }>["value"]
  | NonNullable<(ProjectsSearchFilter | UsersSearchFilter)["filter"]["value"]>;

/** What a filter compares with, by the fields that it has. */
export function toValue(value: Compared) {
  if ("ids" in value) return { ids: value.ids };
  if ("keys" in value) return { keys: value.keys };
  if ("id" in value) return { id: value.id };
  if ("state" in value) return { state: toState(value.state) };
  if ("loginName" in value) return { match: toTextMatch(value.loginName, value.method) };
  if ("displayName" in value) return { match: toTextMatch(value.displayName, value.method) };
  if ("name" in value) return { match: toTextMatch(value.name, value.method) };
  if ("key" in value) return { match: toTextMatch(value.key, value.method) };
  if ("text" in value)
    return "method" in value ? { match: toTextMatch(value.text, value.method) } : { text: value.text };
  return { range: toDateRange(value) };
}

/** The state must be one of the two. */
export function toState(state: State): StateOfAuthorization {
  return state === State.ACTIVE ? "active" : "inactive";
}

function toTextMatch(text: string, method: TextFilterMethod): TextMatch {
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

type SortName = Exclude<keyof typeof AuthorizationFieldName, "UNSPECIFIED">;

const columnOf: ReadonlyMap<AuthorizationFieldName, SortColumn> = new Map([
  [AuthorizationFieldName.UNSPECIFIED, sortColumns.CREATED_DATE],
  ...Object.entries(sortColumns satisfies Record<SortName, SortColumn>).map(
    ([name, column]) => [AuthorizationFieldName[name as SortName], column] as const,
  ),
]);
