import sql from "sql-template-tag";
import type { Upsert } from "../../../directory/change.ts";
import { changeDateAt, isExpired, stateAt } from "../../pool/expiry.ts";

/**
 * The kinds of resources that changes name. How they are staged, checked, shown in events and outcomes, and exported follows
 * from these descriptions. What is staged is in `staged_TABLE`, and what is removed in `doomed_TABLE` (relations.ts).
 */
export type ResourceKind = Upsert["kind"];

const [row, began] = [sql`a`, sql`now()`];

type Resource = {
  readonly table: string;
  /** What messages call it. */
  readonly label: string;
  /** The columns that identify it. */
  readonly key: readonly string[];
  /** The column of each field in service.directory.v1, in the order of the fields. */
  readonly fields: Readonly<Record<string, string>>;
  /** Columns that stay as they were when the resource was created. */
  readonly immutable: readonly string[];
  /** The kinds of resources with which it is removed, and the column that has their id. */
  readonly goesWith: { readonly [kind in ResourceKind]?: string };
};

/** In the order in which they are put in place and exported: each after those it refers to. */
export const resources = {
  organization: {
    table: "organizations",
    label: "organization",
    key: ["id"],
    fields: { id: "id", name: "name" },
    immutable: [],
    goesWith: {},
  },
  user: {
    table: "users",
    label: "user",
    key: ["id"],
    fields: {
      id: "id",
      organizationId: "organization_id",
      preferredLoginName: "preferred_login_name",
      displayName: "display_name",
      avatarUrl: "avatar_url",
    },
    immutable: [],
    goesWith: { organization: "organization_id" },
  },
  project: {
    table: "projects",
    label: "project",
    key: ["id"],
    fields: { id: "id", organizationId: "organization_id", name: "name" },
    immutable: ["organization_id"],
    goesWith: { organization: "organization_id" },
  },
  projectRole: {
    table: "project_roles",
    label: "role",
    key: ["project_id", "key"],
    fields: {
      projectId: "project_id",
      key: "key",
      displayName: "display_name",
      group: "group_name",
      description: "description",
    },
    immutable: [],
    goesWith: { project: "project_id" },
  },
  projectGrant: {
    table: "project_grants",
    label: "project grant",
    key: ["id"],
    fields: { id: "id", projectId: "project_id", organizationId: "organization_id", roleKeys: "role_keys" },
    immutable: ["project_id", "organization_id"],
    goesWith: { project: "project_id", organization: "organization_id" },
  },
  // Its scope is the column `scope`. The columns of the ids refer to what it is in.
  administrator: {
    table: "administrators",
    label: "administrator entry",
    key: ["user_id", "scope"],
    fields: {
      userId: "user_id",
      organizationId: "organization_id",
      projectId: "project_id",
      projectGrantId: "project_grant_id",
      roles: "roles",
    },
    immutable: [],
    goesWith: {
      user: "user_id",
      organization: "organization_id",
      project: "project_id",
      projectGrant: "project_grant_id",
    },
  },
  authorization: {
    table: "authorizations",
    label: "authorization",
    key: ["id"],
    fields: {
      id: "id",
      userId: "user_id",
      projectId: "project_id",
      organizationId: "organization_id",
      roleKeys: "role_keys",
      state: "state",
      creationDate: "creation_date",
      changeDate: "change_date",
      expirationDate: "expiration_date",
      expired: "expired",
    },
    immutable: ["user_id", "project_id", "organization_id"],
    goesWith: { user: "user_id", project: "owned_project_id", projectGrant: "granted_by" },
  },
} as const satisfies Readonly<Record<ResourceKind, Resource>>;

/** Authorizations as they were when the transaction began, whether their ends are written or not. */
export const currentAuthorizations = `(
    select a.id, a.user_id, a.project_id, a.organization_id, a.creation_date, a.expiration_date,
      ${stateAt(row, began).text} as state, ${changeDateAt(row, began).text} as change_date, ${isExpired(row, began).text} as expired
    from authorizations a)`;

export const resourceKinds = Object.keys(resources) as ResourceKind[];

export function resourceOf(kind: ResourceKind): Resource {
  return resources[kind];
}

/** The columns whose values are ids of other resources, and the kinds of those. */
export const references = {
  user_id: "user",
  organization_id: "organization",
  project_id: "project",
  project_grant_id: "projectGrant",
} as const satisfies Readonly<Record<string, ResourceKind>>;

export type Reference = keyof typeof references;

export function referencesOf(kind: ResourceKind): Reference[] {
  return Object.values(resourceOf(kind).fields).filter((column): column is Reference => column in references);
}

/** Whether two rows have the same key. */
export function isSame(kind: ResourceKind, one: string, other: string): string {
  return `(${resourceOf(kind)
    .key.map((column) => `${one}.${column} = ${other}.${column}`)
    .join(" and ")})`;
}

/** The value of a column of a stored row as it is shown: roles and role keys are sorted, and states have the names of the API. */
function shown(kind: ResourceKind, row: string, column: string): string {
  if (column === "state") return `'STATE_' || upper(${row}.state::text)`;
  if (column === "roles") return `array(select role from unnest(${row}.roles) as role order by role collate "C")`;
  const hasKeys = column === "role_keys" && (kind === "projectGrant" || kind === "authorization");
  return hasKeys ? storedKeys(kind, row) : `${row}.${column}`;
}

/** The role keys of a stored grant or assignment, sorted. */
export function storedKeys(kind: "projectGrant" | "authorization", row: string, condition = "true"): string {
  const [table, id] = {
    projectGrant: ["project_grant_roles", "project_grant_id"],
    authorization: ["authorization_roles", "authorization_id"],
  }[kind];
  return `array(
      select k.role_key::text from ${table} k where k.${id} = ${row}.id and ${condition} order by k.role_key)`;
}

/** The role keys of a staged grant or assignment, sorted. */
export const stagedKeys = (row: string) => `array(select key from unnest(${row}.role_keys) as key order by key)`;

/**
 * The image of a stored row: the JSON of its message in service.directory.v1, without empty fields, with roles and
 * role keys sorted. Events and outcomes contain these images.
 *
 * @param instead expressions for columns that another row doesn't have as a stored one has them
 */
export function imageOf(kind: ResourceKind, row: string, instead: Readonly<Record<string, string>> = {}): string {
  const value = (column: string) => (jsonOf[column] ?? unlessEmpty)(instead[column] ?? shown(kind, row, column));
  return `jsonb_strip_nulls(jsonb_build_object(${membersOf(kind, row, value)}))`;
}

/** The same with empty fields, which takes less time. Fields that aren't set are null. */
export function rawImageOf(kind: ResourceKind, row: string): string {
  return `json_build_object(${membersOf(kind, row, (column) => shown(kind, row, column))})`;
}

function membersOf(kind: ResourceKind, row: string, value: (column: string) => string): string {
  const members = Object.entries(resourceOf(kind).fields).map(([field, column]) => `'${field}', ${value(column)}`);
  if (kind === "administrator") members.push(`'instance', case when ${row}.scope = '0' then true end`);
  return members.join(", ");
}

const unlessEmpty = (value: string) => `nullif(${value}, '')`;
const unlessNone = (values: string) => `to_jsonb(nullif(${values}, '{}'))`;
const date = (value: string) => `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const jsonOf: Readonly<Record<string, (value: string) => string>> = {
  role_keys: unlessNone,
  roles: unlessNone,
  creation_date: date,
  change_date: date,
  expiration_date: (value) => date(`nullif(${value}, 'infinity')`),
  expired: (value) => `nullif(${value}, false)`,
};
