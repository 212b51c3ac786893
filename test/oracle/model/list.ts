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
  | { [kind in "created" | "changed" | "expires"]?: { from?: string; to?: string } }
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
    .sort(
      (one, other) =>
        withoutEndLast(request.sortingColumn, one, other) ||
        compareRows(world, request.sortingColumn, one, other) * (asc ? 1 : -1),
    );
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
    ...(row.expirationDate !== null && { expirationDate: printDate(row.expirationDate) }),
    expired: row.expired,
    roles: sortedKeys(row.roleKeys).map((key) => {
      const { displayName, group } = world.projectRoles.get(keyOf(row.projectId, key)) ?? {};
      return { key, displayName, group };
    }),
  };
}

type Compared = {
  /** The field of the filter that has what is compared with. Ranges have two. */
  readonly field: "id" | "ids" | "keys" | "state" | "loginName" | "displayName" | "name" | "key" | "range";
  /** What an authorization has: one value, or several, of which one is enough. */
  readonly of: (row: Authorization, world: World) => (string | bigint)[];
};

/** Every kind of filter but those that nest others. */
export const filterKinds: Readonly<Record<string, Compared>> = {
  authorizationIds: { field: "ids", of: ({ id }) => [id] },
  inUserIds: { field: "ids", of: ({ userId }) => [userId] },
  projectIds: { field: "ids", of: ({ projectId }) => [projectId] },
  userId: { field: "id", of: ({ userId }) => [userId] },
  organizationId: { field: "id", of: ({ organizationId }) => [organizationId] },
  userOrganizationId: { field: "id", of: ({ userId }, world) => [world.users.get(userId)?.organizationId ?? ""] },
  projectId: { field: "id", of: ({ projectId }) => [projectId] },
  projectGrantId: { field: "id", of: ({ projectGrantId }) => [projectGrantId] },
  state: { field: "state", of: ({ state }) => [state] },
  userPreferredLoginName: {
    field: "loginName",
    of: ({ userId }, world) => [world.users.get(userId)?.preferredLoginName ?? ""],
  },
  userDisplayName: { field: "displayName", of: ({ userId }, world) => [world.users.get(userId)?.displayName ?? ""] },
  projectName: { field: "name", of: ({ projectId }, world) => [world.projects.get(projectId)?.name ?? ""] },
  organizationName: {
    field: "name",
    of: ({ organizationId }, world) => [world.organizations.get(organizationId)?.name ?? ""],
  },
  roleKey: { field: "key", of: ({ roleKeys }) => [...roleKeys] },
  roleKeys: { field: "keys", of: ({ roleKeys }) => [...roleKeys] },
  created: { field: "range", of: ({ creationDate }) => [creationDate] },
  changed: { field: "range", of: ({ changeDate }) => [changeDate] },
  expires: { field: "range", of: ({ expirationDate }) => (expirationDate === null ? [] : [expirationDate]) },
};

/** The fields that hold a text, which a method compares. */
export const textFields = ["loginName", "displayName", "name", "key"];

/** Whether a filter matches. */
export function matches(world: World, row: Authorization, filter: Filter): boolean {
  const [[kind, value] = ["", {}]]: [string, any][] = Object.entries(filter);
  if (kind === "anyOf") return value.filters.some((each: Filter) => matches(world, row, each));
  if (kind === "allOf") return value.filters.every((each: Filter) => matches(world, row, each));
  if (kind === "not") return !matches(world, row, value);
  const compared = filterKinds[kind];
  if (compared === undefined) throw new Error(`the model knows no filter ${kind}`);
  const { field, of } = compared;
  return of(row, world).some((found) => {
    if (typeof found === "bigint") return isWithin(found, value);
    if (textFields.includes(field)) return textMatches(value.method, found, value[field]);
    return [value[field]].flat().includes(found);
  });
}

/** From the one on, and before the other. Either may be finer than what is stored. */
export function isWithin(microseconds: bigint, { from, to }: { from?: string; to?: string }): boolean {
  const nanoseconds = microseconds * 1_000n;
  const isFrom = from === undefined || nanoseconds >= readNanoseconds(from);
  return isFrom && (to === undefined || nanoseconds < readNanoseconds(to));
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

/** Whatever the direction. */
function withoutEndLast(column: string | undefined, one: Authorization, other: Authorization): number {
  if (column !== "AUTHORIZATION_FIELD_NAME_EXPIRATION_DATE") return 0;
  return Number(one.expirationDate === null) - Number(other.expirationDate === null);
}

function compareRows(world: World, column: string | undefined, one: Authorization, other: Authorization): number {
  const sortedBy = sortingColumns[column ?? "AUTHORIZATION_FIELD_NAME_UNSPECIFIED"];
  if (sortedBy === undefined) throw new Error(`the model knows no column ${column}`);
  const [first, second] = [sortedBy(one, world), sortedBy(other, world)];
  const order = typeof first === "bigint" ? Number(first - BigInt(second)) : compareTexts(first, String(second));
  return order || compareTexts(one.id, other.id);
}

/** What authorizations are sorted by. */
export const sortingColumns: Readonly<Record<string, (row: Authorization, world: World) => string | bigint>> = {
  AUTHORIZATION_FIELD_NAME_UNSPECIFIED: ({ creationDate }) => creationDate,
  AUTHORIZATION_FIELD_NAME_CREATED_DATE: ({ creationDate }) => creationDate,
  AUTHORIZATION_FIELD_NAME_CHANGED_DATE: ({ changeDate }) => changeDate,
  AUTHORIZATION_FIELD_NAME_ID: ({ id }) => id,
  AUTHORIZATION_FIELD_NAME_USER_ID: ({ userId }) => userId,
  AUTHORIZATION_FIELD_NAME_PROJECT_ID: ({ projectId }) => projectId,
  AUTHORIZATION_FIELD_NAME_ORGANIZATION_ID: ({ organizationId }) => organizationId,
  AUTHORIZATION_FIELD_NAME_USER_ORGANIZATION_ID: ({ userId }, world) => world.users.get(userId)?.organizationId ?? "",
  AUTHORIZATION_FIELD_NAME_USER_DISPLAY_NAME: ({ userId }, world) => fold(world.users.get(userId)?.displayName ?? ""),
  AUTHORIZATION_FIELD_NAME_PROJECT_NAME: ({ projectId }, world) => fold(world.projects.get(projectId)?.name ?? ""),
  AUTHORIZATION_FIELD_NAME_ORGANIZATION_NAME: ({ organizationId }, world) =>
    fold(world.organizations.get(organizationId)?.name ?? ""),
  AUTHORIZATION_FIELD_NAME_EXPIRATION_DATE: ({ expirationDate }) => expirationDate ?? 0n,
};
