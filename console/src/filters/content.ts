import {
  type AuthorizationsSearchFilter,
  AuthorizationsSearchFilterSchema,
  State,
  TextFilterMethod,
} from "@authorization-service/client";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { filterWords } from "../words/filters.ts";
import type { Range } from "./moments.ts";

type Filter = AuthorizationsSearchFilter;

/** The kinds of filters, by the service's own names. */
export type Kind = Exclude<Filter["filter"]["case"], undefined>;

export type Group = keyof typeof filterWords.groups;

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

type Form = { readonly group: Group } & (
  | { readonly shape: "text"; readonly field: "displayName" | "loginName" | "name" | "key" }
  | { readonly shape: "id"; readonly of: "user" | "organization" | "project" }
  | {
      readonly shape: "list";
      readonly field: "ids" | "keys";
      readonly of: "user" | "project" | "role" | "assignment";
    }
  | { readonly shape: "grant" | "state" | "range" | "several" | "not" }
);

/**
 * All kinds, in the order in which they are offered: the group, the shape of the content, the field that has it, and what
 * it names. A new kind doesn't compile until it is here.
 */
const forms: Readonly<Record<Kind, Form>> = {
  userDisplayName: { group: "user", shape: "text", field: "displayName" },
  userPreferredLoginName: { group: "user", shape: "text", field: "loginName" },
  userId: { group: "user", shape: "id", of: "user" },
  inUserIds: { group: "user", shape: "list", field: "ids", of: "user" },
  userOrganizationId: { group: "user", shape: "id", of: "organization" },
  organizationName: { group: "organization", shape: "text", field: "name" },
  organizationId: { group: "organization", shape: "id", of: "organization" },
  projectName: { group: "project", shape: "text", field: "name" },
  projectId: { group: "project", shape: "id", of: "project" },
  projectIds: { group: "project", shape: "list", field: "ids", of: "project" },
  projectGrantId: { group: "project", shape: "grant" },
  roleKey: { group: "role", shape: "text", field: "key" },
  roleKeys: { group: "role", shape: "list", field: "keys", of: "role" },
  state: { group: "state", shape: "state" },
  created: { group: "state", shape: "range" },
  changed: { group: "state", shape: "range" },
  expires: { group: "state", shape: "range" },
  authorizationIds: { group: "assignment", shape: "list", field: "ids", of: "assignment" },
  anyOf: { group: "groups", shape: "several" },
  allOf: { group: "groups", shape: "several" },
  not: { group: "groups", shape: "not" },
};

export const kindNames = Object.keys(forms) as readonly Kind[];
export const groups = Object.keys(filterWords.groups) as readonly Group[];

export function groupOf(kind: Kind): Group {
  return forms[kind].group;
}

/** The maximum depth and the maximum number of filters (docs/reference/lists-and-filters.md). */
export const mostDepth = 3;
export const mostFilters = 50;

/** The number of filters over all levels. */
export function countOf(filters: readonly Filter[]): number {
  return filters.reduce((sum, filter) => sum + 1 + countOf(within(filter)), 0);
}

/** The filters that a group holds. */
export function within({ filter: { case: kind, value } }: Filter): readonly Filter[] {
  if (kind === "anyOf" || kind === "allOf") return value.filters;
  return kind === "not" ? [value] : [];
}

/** What the contents of all kinds have. */
type Fields = Range &
  Record<"displayName" | "loginName" | "name" | "key" | "id", string> &
  Record<"ids" | "keys", readonly string[]> & {
    readonly method: TextFilterMethod;
    readonly state: State;
    readonly filters: readonly Filter[];
  };

/** The content of a filter; undefined for an empty filter, which the service refuses. */
export function contentOf({ filter: { case: kind, value } }: Filter): Content | undefined {
  if (kind === undefined) return undefined;
  const form = forms[kind];
  // The compiler can't know which of them a kind has. The tests go through all kinds.
  const fields = value as unknown as Fields;
  const having = (changed: object) => asFilter({ case: kind, value: changed } as Parameters<typeof asFilter>[0]);
  const { shape } = form;
  switch (shape) {
    case "text":
      return {
        shape,
        text: fields[form.field],
        method: fields.method,
        having: (text, method) => having({ [form.field]: text, method }),
      };
    case "id":
      return { shape, of: form.of, id: fields.id, having: (id) => having({ id }) };
    case "grant":
      return { shape, id: fields.id, having: (id) => having({ id }) };
    case "list":
      return { shape, of: form.of, list: fields[form.field], having: (list) => having({ [form.field]: [...list] }) };
    case "state":
      return { shape, state: fields.state, having: (state) => having({ state }) };
    case "range":
      return {
        shape,
        range: fields,
        having: ({ from, to }) => having({ ...(from && { from }), ...(to && { to }) }),
      };
    case "several":
      return { shape, filters: fields.filters, having: (filters) => having({ filters: [...filters] }) };
    case "not":
      return { shape, filter: value as Filter, having };
  }
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
