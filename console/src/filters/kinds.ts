import {
  type AuthorizationsSearchFilter,
  AuthorizationsSearchFilterSchema,
  State,
  TextFilterMethod,
} from "@authorization-service/client";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { filterWords } from "../words/filters.ts";

/** The kinds of filters, by the service's own names. */
export type Kind = Exclude<AuthorizationsSearchFilter["filter"]["case"], undefined>;

/** The content of a filter of this kind. */
export type Value<K extends Kind> = Extract<AuthorizationsSearchFilter["filter"], { case: K }>["value"];

export type Description = {
  readonly group: Group;
  /** The start of a chip: “Project is …”. */
  readonly subject: string;
  /** The label in the list of kinds. */
  readonly name: string;
};

export type Group = keyof typeof filterWords.groups;

export const groups = Object.keys(filterWords.groups) as readonly Group[];

/** The group of each kind. A new kind doesn't compile until it has one, and its words. */
const groupOf: { readonly [K in Kind]: Group } = {
  userDisplayName: "user",
  userPreferredLoginName: "user",
  userId: "user",
  inUserIds: "user",
  userOrganizationId: "user",
  organizationName: "organization",
  organizationId: "organization",
  projectName: "project",
  projectId: "project",
  projectIds: "project",
  projectGrantId: "project",
  roleKey: "role",
  roleKeys: "role",
  state: "state",
  created: "state",
  changed: "state",
  authorizationIds: "assignment",
  anyOf: "groups",
  allOf: "groups",
  not: "groups",
};

export const kindNames = Object.keys(groupOf) as readonly Kind[];

/** Every kind that the service knows, in the order in which they are offered. */
export const kinds = Object.fromEntries(
  kindNames.map((kind) => [kind, { group: groupOf[kind], ...filterWords.kinds[kind] }]),
) as { readonly [K in Kind]: Description };

/** The maximum depth and the maximum number of filters (docs/reference/lists-and-filters.md). */
export const mostDepth = 3;
export const mostFilters = 50;

export function isGroup(kind: Kind): boolean {
  return kinds[kind].group === "groups";
}

/** A filter of the kind as a form starts with it. */
export function newFilter(kind: Kind): AuthorizationsSearchFilter {
  return asFilter(beginnings[kind]());
}

export function asFilter(
  filter: NonNullable<MessageInitShape<typeof AuthorizationsSearchFilterSchema>["filter"]>,
): AuthorizationsSearchFilter {
  return create(AuthorizationsSearchFilterSchema, { filter });
}

type Beginning = Parameters<typeof asFilter>[0];

// People usually know only a part of a name, and rarely its case.
const method = TextFilterMethod.CONTAINS_IGNORE_CASE;

const beginnings: { readonly [K in Kind]: () => Beginning & { case: K } } = {
  userDisplayName: () => ({ case: "userDisplayName", value: { method } }),
  userPreferredLoginName: () => ({ case: "userPreferredLoginName", value: { method } }),
  userId: () => ({ case: "userId", value: {} }),
  inUserIds: () => ({ case: "inUserIds", value: {} }),
  userOrganizationId: () => ({ case: "userOrganizationId", value: {} }),
  organizationName: () => ({ case: "organizationName", value: { method } }),
  organizationId: () => ({ case: "organizationId", value: {} }),
  projectName: () => ({ case: "projectName", value: { method } }),
  projectId: () => ({ case: "projectId", value: {} }),
  projectIds: () => ({ case: "projectIds", value: {} }),
  projectGrantId: () => ({ case: "projectGrantId", value: {} }),
  roleKey: () => ({ case: "roleKey", value: { method } }),
  roleKeys: () => ({ case: "roleKeys", value: {} }),
  state: () => ({ case: "state", value: { state: State.ACTIVE } }),
  created: () => ({ case: "created", value: {} }),
  changed: () => ({ case: "changed", value: {} }),
  authorizationIds: () => ({ case: "authorizationIds", value: {} }),
  anyOf: () => ({ case: "anyOf", value: {} }),
  allOf: () => ({ case: "allOf", value: {} }),
  not: () => ({ case: "not", value: {} }),
};
