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

/** What a filter has, by the form that it needs, and what it names. */
type Shapes = {
  readonly text: { readonly value: string };
  readonly id: { readonly value: string; readonly of: "user" | "organization" | "project" };
  readonly list: { readonly value: readonly string[]; readonly of: "user" | "project" | "role" | "assignment" };
  readonly grant: { readonly value: string };
  readonly state: { readonly value: State };
  readonly range: { readonly value: Range };
  readonly several: { readonly value: readonly Filter[] };
  readonly not: { readonly value: Filter };
};

/** The content of a filter. `having` returns a filter of the same kind with another value. */
export type Content = {
  [Shape in keyof Shapes]: Shapes[Shape] & {
    readonly shape: Shape;
    readonly kind: Kind;
    /** How a text is compared. */
    readonly method: TextFilterMethod;
    readonly having: (value: Shapes[Shape]["value"], method?: TextFilterMethod) => Filter;
  };
}[keyof Shapes];

/** Without a field, the whole content is the value. */
type Form = { readonly group: Group; readonly shape: keyof Shapes; readonly field?: string; readonly of?: string };

/** All kinds, in the order in which they are offered, by group. A new kind doesn't compile until it is here. */
const kinds: Readonly<Record<Kind, Form>> = {
  userDisplayName: { group: "user", shape: "text", field: "displayName" },
  userPreferredLoginName: { group: "user", shape: "text", field: "loginName" },
  userId: { group: "user", shape: "id", field: "id", of: "user" },
  inUserIds: { group: "user", shape: "list", field: "ids", of: "user" },
  userOrganizationId: { group: "user", shape: "id", field: "id", of: "organization" },
  organizationName: { group: "organization", shape: "text", field: "name" },
  organizationId: { group: "organization", shape: "id", field: "id", of: "organization" },
  projectName: { group: "project", shape: "text", field: "name" },
  projectId: { group: "project", shape: "id", field: "id", of: "project" },
  projectIds: { group: "project", shape: "list", field: "ids", of: "project" },
  projectGrantId: { group: "project", shape: "grant", field: "id" },
  roleKey: { group: "role", shape: "text", field: "key" },
  roleKeys: { group: "role", shape: "list", field: "keys", of: "role" },
  state: { group: "state", shape: "state", field: "state" },
  created: { group: "state", shape: "range" },
  changed: { group: "state", shape: "range" },
  expires: { group: "state", shape: "range" },
  authorizationIds: { group: "assignment", shape: "list", field: "ids", of: "assignment" },
  anyOf: { group: "groups", shape: "several", field: "filters" },
  allOf: { group: "groups", shape: "several", field: "filters" },
  not: { group: "groups", shape: "not" },
};

export const kindNames = Object.keys(kinds) as readonly Kind[];
export const groups = Object.keys(filterWords.groups) as readonly Group[];

export function groupOf(kind: Kind): Group {
  return kinds[kind].group;
}

/** The maximum number of filters over all levels (docs/reference/lists-and-filters.md). */
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

/** The content of a filter; undefined for an empty filter, which the service refuses. */
export function contentOf({ filter: { case: kind, value } }: Filter): Content | undefined {
  if (kind === undefined) return undefined;
  const { field, ...form } = kinds[kind];
  // The compiler can't know which fields a kind has. The tests go through all kinds.
  const fields = value as unknown as Readonly<Record<string, unknown>>;
  const having = (changed: unknown, method = fields.method) => {
    const content = field === undefined ? changed : { [field]: changed, ...(method !== undefined && { method }) };
    return asFilter({ case: kind, value: content } as Parameters<typeof asFilter>[0]);
  };
  const content = field === undefined ? fields : fields[field];
  return { ...form, kind, method: fields.method, value: content, having } as unknown as Content;
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
