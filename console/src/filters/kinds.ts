import {
  type AuthorizationsSearchFilter,
  AuthorizationsSearchFilterSchema,
  State,
  TextFilterMethod,
} from "@authorization-service/client";
import { create, type MessageInitShape } from "@bufbuild/protobuf";

/** The kinds of filters, by the service's own names. */
export type Kind = Exclude<AuthorizationsSearchFilter["filter"]["case"], undefined>;

/** The content of a filter of this kind. */
export type Value<K extends Kind> = Extract<AuthorizationsSearchFilter["filter"], { case: K }>["value"];

export type Description = {
  readonly group: (typeof groups)[number];
  /** The start of a chip: “Project is …”. */
  readonly subject: string;
  /** The label in the list of kinds. */
  readonly name: string;
};

export const groups = ["User", "Organization", "Project", "Role", "State and dates", "Assignment", "Groups"] as const;

/**
 * Every kind that the service knows, in the order in which they are offered. A new kind doesn't compile until it is
 * described here.
 */
export const kinds: { readonly [K in Kind]: Description } = {
  userDisplayName: { group: "User", subject: "User name", name: "User name" },
  userPreferredLoginName: { group: "User", subject: "Login name", name: "Login name" },
  userId: { group: "User", subject: "User", name: "Is this user" },
  inUserIds: { group: "User", subject: "User", name: "Is any of these users" },
  userOrganizationId: { group: "User", subject: "User's own organization", name: "Belongs to this organization" },
  organizationName: { group: "Organization", subject: "Organization name", name: "Organization name" },
  organizationId: { group: "Organization", subject: "Organization", name: "Is this organization" },
  projectName: { group: "Project", subject: "Project name", name: "Project name" },
  projectId: { group: "Project", subject: "Project", name: "Is this project" },
  projectIds: { group: "Project", subject: "Project", name: "Is any of these projects" },
  projectGrantId: { group: "Project", subject: "Project", name: "Owned or granted" },
  roleKey: { group: "Role", subject: "Role key", name: "Role key" },
  roleKeys: { group: "Role", subject: "Role", name: "Has any of these roles" },
  state: { group: "State and dates", subject: "State", name: "State" },
  created: { group: "State and dates", subject: "Created", name: "Created" },
  changed: { group: "State and dates", subject: "Changed", name: "Changed" },
  authorizationIds: { group: "Assignment", subject: "Assignment id", name: "Assignment ids" },
  anyOf: { group: "Groups", subject: "Any of", name: "Any of several filters" },
  allOf: { group: "Groups", subject: "All of", name: "All of several filters" },
  not: { group: "Groups", subject: "Not", name: "Not: the opposite of a filter" },
};

export const kindNames = Object.keys(kinds) as readonly Kind[];

/** The maximum depth and the maximum number of filters (docs/reference/lists-and-filters.md). */
export const mostDepth = 3;
export const mostFilters = 50;

export function isGroup(kind: Kind): boolean {
  return kinds[kind].group === "Groups";
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
