import { printDate, readNanoseconds } from "./dates.ts";
import { sees } from "./permissions.ts";
import { Refused } from "./refused.ts";
import { type Authorization, compareTexts, keyOf, sortedKeys, type World } from "./world.ts";

/** The JSON body of a request. */
export type ListRequest = {
  pagination?: { offset?: string | number; limit?: number; asc?: boolean; skipTotal?: boolean };
  sortingColumn?: string;
  filters?: Filter[];
};

export type Filter =
  | { [kind in "authorizationIds" | "inUserIds" | "projectIds"]?: { ids: string[] } }
  | { roleKeys: { keys: string[] } }
  | { [kind in "created" | "changed"]?: { from?: string; to?: string } }
  | { [kind in "anyOf" | "allOf"]?: { filters: Filter[] } }
  | { not: Filter }
  | { [kind in IdFilter]?: { id: string } }
  | { state: { state: string } }
  | {
      [kind in TextFilter]?: { loginName?: string; displayName?: string; name?: string; key?: string; method: string };
    };
type IdFilter = "userId" | "organizationId" | "userOrganizationId" | "projectId" | "projectGrantId";
type TextFilter = "userPreferredLoginName" | "userDisplayName" | "projectName" | "organizationName" | "roleKey";

const defaultLimit = 100;
const maximumLimit = 1_000;

/** The body the service is to answer with. */
export function listAuthorizations(world: World, callerId: string, request: ListRequest): object {
  const { offset, limit, asc, skipTotal } = pageOf(request.pagination);
  const rows = [...world.authorizations.values()]
    .filter((row) => sees(world, callerId, row))
    .filter((row) => (request.filters ?? []).every((filter) => matches(world, row, filter)))
    .sort((one, other) => compareRows(world, request.sortingColumn, one, other) * (asc ? 1 : -1));
  return {
    pagination: paginationOf(rows.length, offset, limit, skipTotal),
    authorizations: rows.slice(offset, offset + limit).map((row) => listed(world, row)),
  };
}

/** The part of all rows that is asked for. */
export function pageOf(pagination: ListRequest["pagination"]) {
  const { offset = 0, limit = 0, asc = false, skipTotal = false } = pagination ?? {};
  if (limit > maximumLimit) {
    throw new Refused("LIMIT_EXCEEDED", { limit: String(limit), maximum: String(maximumLimit) });
  }
  return { offset: Number(offset), limit: limit || defaultLimit, asc, skipTotal };
}

/** Stands for any token that leads to a next page: what it looks like is nobody's promise. */
export const someToken = "some token";

export function paginationOf(total: number, offset: number, limit: number, skipTotal: boolean): object {
  return {
    totalResult: skipTotal ? 0 : total,
    appliedLimit: limit,
    nextPageToken: offset + limit < total ? someToken : "",
  };
}

function listed(world: World, row: Authorization): object {
  return {
    id: row.id,
    creationDate: printDate(row.creationDate),
    changeDate: printDate(row.changeDate),
    project: world.projects.get(row.projectId),
    organization: world.organizations.get(row.organizationId),
    user: world.users.get(row.userId),
    state: row.state,
    roles: sortedKeys(row.roleKeys).map((key) => {
      const { displayName, group } = world.projectRoles.get(keyOf(row.projectId, key)) ?? {};
      return { key, displayName, group };
    }),
  };
}

/** Whether a filter matches. */
export function matches(world: World, row: Authorization, filter: Filter): boolean {
  const user = world.users.get(row.userId);
  const [[kind, value] = ["", {}]]: [string, any][] = Object.entries(filter);
  switch (kind) {
    case "authorizationIds":
      return value.ids.includes(row.id);
    case "inUserIds":
      return value.ids.includes(row.userId);
    case "userId":
      return value.id === row.userId;
    case "organizationId":
      return value.id === row.organizationId;
    case "userOrganizationId":
      return value.id === user?.organizationId;
    case "projectId":
      return value.id === row.projectId;
    case "projectGrantId":
      return value.id === row.projectGrantId;
    case "state":
      return value.state === row.state;
    case "userPreferredLoginName":
      return textMatches(value.method, user?.preferredLoginName ?? "", value.loginName);
    case "userDisplayName":
      return textMatches(value.method, user?.displayName ?? "", value.displayName);
    case "projectName":
      return textMatches(value.method, world.projects.get(row.projectId)?.name ?? "", value.name);
    case "organizationName":
      return textMatches(value.method, world.organizations.get(row.organizationId)?.name ?? "", value.name);
    case "projectIds":
      return value.ids.includes(row.projectId);
    case "roleKeys":
      return row.roleKeys.some((key) => value.keys.includes(key));
    case "created":
      return isBetween(row.creationDate, value);
    case "changed":
      return isBetween(row.changeDate, value);
    case "anyOf":
      return value.filters.some((each: Filter) => matches(world, row, each));
    case "allOf":
      return value.filters.every((each: Filter) => matches(world, row, each));
    case "not":
      return !matches(world, row, value);
    case "roleKey":
      return row.roleKeys.some((key) => textMatches(value.method, key, value.key));
    default:
      throw new Error(`the model knows no filter ${kind}`);
  }
}

/** Ends may be finer than what is stored. */
function isBetween(microseconds: bigint, { from, to }: { from?: string; to?: string }): boolean {
  const nanoseconds = microseconds * 1_000n;
  return (
    (from === undefined || nanoseconds >= readNanoseconds(from)) &&
    (to === undefined || nanoseconds < readNanoseconds(to))
  );
}

export function textMatches(method: string, whole: string, part: string): boolean {
  const name = method.replace("TEXT_FILTER_METHOD_", "");
  const exact = name.replace("_IGNORE_CASE", "");
  const [text, wanted] = name === exact ? [whole, part] : [fold(whole), fold(part)];
  if (exact === "EQUALS") return text === wanted;
  if (exact === "STARTS_WITH") return text.startsWith(wanted);
  if (exact === "ENDS_WITH") return text.endsWith(wanted);
  return text.includes(wanted);
}

/** Letters with one partner in the other case become the small one; the sigma at the end of a word is a sigma. */
export function fold(text: string): string {
  return Array.from(text, (letter) => {
    const small = letter.toLowerCase();
    return small === "ς" ? "σ" : small.toUpperCase() === letter ? small : letter;
  }).join("");
}

function compareRows(world: World, column: string | undefined, one: Authorization, other: Authorization): number {
  const by = (column ?? "").replace("AUTHORIZATION_FIELD_NAME_", "");
  return compareBy(world, by, one, other) || compareTexts(one.id, other.id);
}

function compareBy(world: World, column: string, one: Authorization, other: Authorization): number {
  switch (column) {
    case "ID":
      return compareTexts(one.id, other.id);
    case "USER_ID":
      return compareTexts(one.userId, other.userId);
    case "PROJECT_ID":
      return compareTexts(one.projectId, other.projectId);
    case "ORGANIZATION_ID":
      return compareTexts(one.organizationId, other.organizationId);
    case "USER_ORGANIZATION_ID": {
      const organizationOf = ({ userId }: Authorization) => world.users.get(userId)?.organizationId ?? "";
      return compareTexts(organizationOf(one), organizationOf(other));
    }
    case "USER_DISPLAY_NAME":
      return compareNames(one, other, ({ userId }) => world.users.get(userId)?.displayName);
    case "PROJECT_NAME":
      return compareNames(one, other, ({ projectId }) => world.projects.get(projectId)?.name);
    case "ORGANIZATION_NAME":
      return compareNames(one, other, ({ organizationId }) => world.organizations.get(organizationId)?.name);
    case "CHANGED_DATE":
      return Number(one.changeDate - other.changeDate);
    default:
      return Number(one.creationDate - other.creationDate);
  }
}

function compareNames(
  one: Authorization,
  other: Authorization,
  nameOf: (row: Authorization) => string | undefined,
): number {
  return compareTexts(fold(nameOf(one) ?? ""), fold(nameOf(other) ?? ""));
}
