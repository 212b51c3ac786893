/**
 * A plain in-memory reading of what ListAuthorizations promises, worked out from the lines of the import that
 * made the world. It shares no code with the service, so that the two can only agree by both being right.
 */
export type ListModel = {
  /** The body the service is to answer with, field by field. */
  list(callerId: string, request: ListRequest): ListAnswer;
};

/** The JSON body of a request, in the names of the JSON mapping. */
export type ListRequest = {
  pagination?: { offset?: string | number; limit?: number; asc?: boolean };
  sortingColumn?: string;
  filters?: ListFilter[];
};

/** The JSON of one filter: its kind, and what is set in it. */
export type ListFilter = Record<string, any>;

export type ListAnswer = {
  pagination: { totalResult: number; appliedLimit: number; nextPageToken: "" | "more" };
  authorizations: ListedAuthorization[];
};

export type ListedAuthorization = Record<string, any>;

/** A row as it is listed, and the grant it hangs on, which is not listed; empty for none. */
type Row = { readonly listed: ListedAuthorization; readonly grantId: string };

/** The default limit of tests that do not configure one. */
const defaultLimit = 100;

/** Lines are in the import format; a later line replaces an earlier one about the same thing. */
export function listModel(lines: readonly object[]): ListModel {
  const rows = rowsOf(lines);
  const entries = thingsOf(lines, "administrator", (entry) => JSON.stringify({ ...entry, roles: undefined }));

  return {
    list(callerId, { pagination, sortingColumn, filters = [] }) {
      const scopes = [...entries.values()].filter((entry) => entry.userId === callerId && entry.roles.some(reads));
      const matching = rows
        .filter((row) => row.listed.user.id === callerId || scopes.some((scope) => covers(scope, row)))
        .filter((row) => filters.every((filter) => matches(filter, row)))
        .sort((one, other) => compare(one, other, sortingColumn) * (pagination?.asc ? 1 : -1));
      const offset = BigInt(pagination?.offset ?? 0);
      const limit = pagination?.limit || defaultLimit;
      const skipped = offset > BigInt(matching.length) ? matching.length : Number(offset);
      return {
        pagination: {
          totalResult: matching.length,
          appliedLimit: limit,
          nextPageToken: skipped + limit < matching.length ? "more" : "",
        },
        authorizations: matching.slice(skipped, skipped + limit).map((row) => row.listed),
      };
    },
  };
}

/** Ids, keys and dates of the same form are ordered by the numbers of their characters. */
export function compareByCodePoint(one: string, other: string): number {
  const [left, right] = [codePoints(one), codePoints(other)];
  const at = left.findIndex((code, index) => code !== right[index]);
  return at === -1 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
}

/** Letters that have exactly one partner in the other case become the small one; all else stays. */
export function foldPairs(text: string): string {
  return Array.from(text, (letter) => {
    const small = letter.toLowerCase();
    return small.toUpperCase() === letter ? small : letter;
  }).join("");
}

type Thing = Record<string, any>;

function thingsOf(lines: readonly object[], kind: string, keyOf = (thing: Thing): string => thing.id) {
  const things = lines.filter((line) => kind in line).map((line) => (line as Thing)[kind] as Thing);
  return new Map(things.map((thing) => [keyOf(thing), thing]));
}

function rowsOf(lines: readonly object[]): Row[] {
  const [organizations, users, projects] = ["organization", "user", "project"].map((kind) => thingsOf(lines, kind));
  const roles = thingsOf(lines, "projectRole", ({ projectId, key }) => JSON.stringify([projectId, key]));
  const grants = thingsOf(lines, "projectGrant", (grant) => JSON.stringify([grant.projectId, grant.organizationId]));
  return [...thingsOf(lines, "authorization").values()].map((a) => ({
    grantId: grants.get(JSON.stringify([a.projectId, a.organizationId]))?.id ?? "",
    listed: {
      id: a.id,
      creationDate: a.creationDate,
      changeDate: a.changeDate,
      project: projects?.get(a.projectId),
      organization: organizations?.get(a.organizationId),
      user: users?.get(a.userId),
      state: a.state,
      roles: [...a.roleKeys].sort(compareByCodePoint).map((key) => {
        const { projectId, ...role } = roles.get(JSON.stringify([a.projectId, key])) ?? {};
        return role;
      }),
    },
  }));
}

const readingRoles = new Set([
  ...["IAM_OWNER", "IAM_ORG_MANAGER", "IAM_USER_MANAGER", "IAM_LOGIN_CLIENT", "IAM_OWNER_VIEWER"],
  ...["ORG_OWNER", "ORG_USER_MANAGER", "ORG_USER_PERMISSION_EDITOR", "ORG_PROJECT_PERMISSION_EDITOR"],
  ...["ORG_OWNER_VIEWER", "PROJECT_OWNER", "PROJECT_OWNER_GLOBAL", "PROJECT_OWNER_VIEWER"],
  ...["PROJECT_OWNER_VIEWER_GLOBAL", "PROJECT_GRANT_OWNER", "PROJECT_GRANT_OWNER_VIEWER"],
]);

const reads = (role: string) => readingRoles.has(role);

function covers(entry: Thing, { listed, grantId }: Row): boolean {
  if (entry.instance) return true;
  if (entry.organizationId) return entry.organizationId === listed.organization.id;
  if (entry.projectGrantId) return entry.projectGrantId === grantId;
  return entry.projectId === listed.project.id && listed.project.organizationId === listed.organization.id;
}

function matches(filter: ListFilter, { listed, grantId }: Row): boolean {
  const [[kind, value] = ["", {}]] = Object.entries(filter);
  switch (kind) {
    case "authorizationIds":
      return value.ids.includes(listed.id);
    case "inUserIds":
      return value.ids.includes(listed.user.id);
    case "userId":
      return value.id === listed.user.id;
    case "organizationId":
      return value.id === listed.organization.id;
    case "userOrganizationId":
      return value.id === listed.user.organizationId;
    case "projectId":
      return value.id === listed.project.id;
    case "projectGrantId":
      return value.id === grantId;
    case "state":
      return value.state === listed.state;
    case "userPreferredLoginName":
      return compares(value.method, listed.user.preferredLoginName, value.loginName);
    case "userDisplayName":
      return compares(value.method, listed.user.displayName, value.displayName);
    case "projectName":
      return compares(value.method, listed.project.name, value.name);
    case "organizationName":
      return compares(value.method, listed.organization.name, value.name);
    case "projectIds":
      return value.ids.includes(listed.project.id);
    case "roleKeys":
      return listed.roles.some((role: Thing) => value.keys.includes(role.key));
    case "created":
      return isWithin(listed.creationDate, value);
    case "changed":
      return isWithin(listed.changeDate, value);
    case "anyOf":
      return value.filters.some((each: ListFilter) => matches(each, { listed, grantId }));
    case "allOf":
      return value.filters.every((each: ListFilter) => matches(each, { listed, grantId }));
    case "not":
      return !matches(value, { listed, grantId });
    case "roleKey":
      return listed.roles.some((role: Thing) => compares(value.method, role.key, value.key));
    default:
      throw new Error(`the model knows no filter ${kind}`);
  }
}

/** Dates in UTC compare as texts once they have as many digits. */
function isWithin(date: string, { from, to }: { from?: string; to?: string }): boolean {
  const moment = toTheNanosecond(date);
  return (from === undefined || moment >= toTheNanosecond(from)) && (to === undefined || moment < toTheNanosecond(to));
}

function compares(method: string, whole: string, part: string): boolean {
  if (method.endsWith("_IGNORE_CASE")) {
    return compares(method.slice(0, -"_IGNORE_CASE".length), foldPairs(whole), foldPairs(part));
  }
  switch (method) {
    case "TEXT_FILTER_METHOD_EQUALS":
      return whole === part;
    case "TEXT_FILTER_METHOD_STARTS_WITH":
      return whole.startsWith(part);
    case "TEXT_FILTER_METHOD_CONTAINS":
      return whole.includes(part);
    case "TEXT_FILTER_METHOD_ENDS_WITH":
      return whole.endsWith(part);
    default:
      throw new Error(`the model knows no method ${method}`);
  }
}

function compare(one: Row, other: Row, column: string | undefined): number {
  const key = sortKeys[column ?? "AUTHORIZATION_FIELD_NAME_UNSPECIFIED"] ?? (() => "");
  return compareByCodePoint(key(one.listed), key(other.listed)) || compareByCodePoint(one.listed.id, other.listed.id);
}

const sortKeys: Record<string, (listed: ListedAuthorization) => string> = {
  AUTHORIZATION_FIELD_NAME_UNSPECIFIED: (listed) => toTheNanosecond(listed.creationDate),
  AUTHORIZATION_FIELD_NAME_CREATED_DATE: (listed) => toTheNanosecond(listed.creationDate),
  AUTHORIZATION_FIELD_NAME_CHANGED_DATE: (listed) => toTheNanosecond(listed.changeDate),
  AUTHORIZATION_FIELD_NAME_ID: (listed) => listed.id,
  AUTHORIZATION_FIELD_NAME_USER_ID: (listed) => listed.user.id,
  AUTHORIZATION_FIELD_NAME_PROJECT_ID: (listed) => listed.project.id,
  AUTHORIZATION_FIELD_NAME_ORGANIZATION_ID: (listed) => listed.organization.id,
  AUTHORIZATION_FIELD_NAME_USER_ORGANIZATION_ID: (listed) => listed.user.organizationId,
};

/** Writes all nine digits of the second's fraction, so that dates in UTC compare as texts. */
export function toTheNanosecond(date: string): string {
  const [seconds = "", fraction = ""] = date.slice(0, -1).split(".");
  return `${seconds}.${fraction.padEnd(9, "0")}Z`;
}

function codePoints(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}
