import {
  type AuthorizationsSearchFilter,
  AuthorizationsSearchFilterSchema,
  State,
  TextFilterMethod,
} from "@authorization-service/client";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { filterWords } from "../words/filters.ts";
import type { Range } from "./moments.ts";

type Filter = AuthorizationsSearchFilter;

/** The kinds of filters, by the service's own names. */
export type Kind = Exclude<Filter["filter"]["case"], undefined>;

export type Group = keyof typeof filterWords.groups;

/** The content of a filter of this kind. */
type Value<K extends Kind> = Extract<Filter["filter"], { case: K }>["value"];

/** The kinds whose content has a field of this type. */
type Having<Field extends string, T> = { [K in Kind]: Value<K> extends Record<Field, T> ? K : never }[Kind];

/**
 * The content of a filter, by the form that it needs. `having` returns a filter of the same kind with other content.
 */
export type Content =
  | {
      readonly shape: "text";
      readonly text: string;
      readonly method: TextFilterMethod;
      readonly having: (text: string, method: TextFilterMethod) => Filter;
    }
  | {
      readonly shape: "id";
      readonly of: "user" | "organization" | "project";
      readonly id: string;
      readonly having: (id: string) => Filter;
    }
  | { readonly shape: "grant"; readonly id: string; readonly having: (id: string) => Filter }
  | {
      readonly shape: "list";
      readonly of: "user" | "project" | "role" | "assignment";
      readonly list: readonly string[];
      readonly having: (list: readonly string[]) => Filter;
    }
  | { readonly shape: "state"; readonly state: State; readonly having: (state: State) => Filter }
  | { readonly shape: "range"; readonly range: Range; readonly having: (range: Range) => Filter }
  | {
      readonly shape: "several";
      readonly filters: readonly Filter[];
      readonly having: (filters: readonly Filter[]) => Filter;
    }
  | { readonly shape: "not"; readonly filter: Filter; readonly having: (filter: Filter) => Filter };

/**
 * The group of each kind, and how its content is read, in the order in which kinds are offered. A new kind doesn't compile until it is
 * here.
 */
const forms: { readonly [K in Kind]: readonly [Group, (value: Value<K>) => Content] } = {
  userDisplayName: ["user", text("userDisplayName", "displayName")],
  userPreferredLoginName: ["user", text("userPreferredLoginName", "loginName")],
  userId: ["user", id("userId", "user")],
  inUserIds: ["user", list("inUserIds", "ids", "user")],
  userOrganizationId: ["user", id("userOrganizationId", "organization")],
  organizationName: ["organization", text("organizationName", "name")],
  organizationId: ["organization", id("organizationId", "organization")],
  projectName: ["project", text("projectName", "name")],
  projectId: ["project", id("projectId", "project")],
  projectIds: ["project", list("projectIds", "ids", "project")],
  projectGrantId: [
    "project",
    ({ id }) => ({ shape: "grant", id, having: (id) => asFilter({ case: "projectGrantId", value: { id } }) }),
  ],
  roleKey: ["role", text("roleKey", "key")],
  roleKeys: ["role", list("roleKeys", "keys", "role")],
  state: [
    "state",
    ({ state }) => ({ shape: "state", state, having: (state) => asFilter({ case: "state", value: { state } }) }),
  ],
  created: ["state", range("created")],
  changed: ["state", range("changed")],
  expires: ["state", range("expires")],
  authorizationIds: ["assignment", list("authorizationIds", "ids", "assignment")],
  anyOf: ["groups", several("anyOf")],
  allOf: ["groups", several("allOf")],
  not: ["groups", (filter) => ({ shape: "not", filter, having: (filter) => asFilter({ case: "not", value: filter }) })],
};

export const kindNames = Object.keys(forms) as readonly Kind[];

export function groupOf(kind: Kind): Group {
  return forms[kind][0];
}

/** The content of a filter; undefined for an empty filter, which the service refuses. */
export function contentOf({ filter }: Filter): Content | undefined {
  if (filter.case === undefined) return undefined;
  // The compiler can't know that a case and its value belong together.
  return (forms[filter.case][1] as (value: typeof filter.value) => Content)(filter.value);
}

/** A filter of the kind as a form starts with it. */
export function newFilter(kind: Kind): Filter {
  const empty = asFilter({ case: kind, value: {} });
  const content = contentOf(empty);
  // People usually know only a part of a name, and rarely its case.
  if (content?.shape === "text") return content.having("", TextFilterMethod.CONTAINS_IGNORE_CASE);
  return content?.shape === "state" ? content.having(State.ACTIVE) : empty;
}

export function asFilter(
  filter: NonNullable<MessageInitShape<typeof AuthorizationsSearchFilterSchema>["filter"]>,
): Filter {
  return create(AuthorizationsSearchFilterSchema, { filter });
}

type Init = Parameters<typeof asFilter>[0];

function text<Field extends string, K extends Having<"method", TextFilterMethod> & Having<Field, string>>(
  kind: K,
  field: Field,
) {
  return (value: Value<K>): Content => ({
    shape: "text",
    text: (value as Record<Field, string>)[field],
    method: value.method,
    having: (text, method) => asFilter({ case: kind, value: { [field]: text, method } } as Init),
  });
}

function id(kind: Having<"id", string>, of: "user" | "organization" | "project") {
  return ({ id }: { id: string }): Content => ({
    shape: "id",
    of,
    id,
    having: (id) => asFilter({ case: kind, value: { id } }),
  });
}

function list<Field extends "ids" | "keys">(
  kind: Having<Field, string[]>,
  field: Field,
  of: "user" | "project" | "role" | "assignment",
) {
  return (value: Record<Field, string[]>): Content => ({
    shape: "list",
    of,
    list: value[field],
    having: (list) => asFilter({ case: kind, value: { [field]: [...list] } } as Init),
  });
}

function range(kind: "created" | "changed" | "expires") {
  return (value: Value<"created">): Content => ({
    shape: "range",
    range: value,
    having: ({ from, to }) => asFilter({ case: kind, value: { ...(from && { from }), ...(to && { to }) } }),
  });
}

function several(kind: "anyOf" | "allOf") {
  return ({ filters }: Value<"anyOf" | "allOf">): Content => ({
    shape: "several",
    filters,
    having: (filters) => asFilter({ case: kind, value: { filters: [...filters] } }),
  });
}
