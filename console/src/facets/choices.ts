import { type AuthorizationsSearchFilter as Filter, State } from "@authorization-service/client";
import { asFilter } from "../filters/content.ts";

type Filters = readonly Filter[];

/** What can be chosen with a click beside the table. */
export type Facet = "project" | "organization" | "role" | "state";

/** The values of the filters that a click chooses: ids, a role key, and the number of a state. */
export type Choices = { readonly [F in Facet]?: string };

const filterOf: Record<Facet, (value: string) => Filter> = {
  project: (id) => asFilter({ case: "projectId", value: { id } }),
  organization: (id) => asFilter({ case: "organizationId", value: { id } }),
  role: (key) => asFilter({ case: "roleKeys", value: { keys: [key] } }),
  state: (state) => asFilter({ case: "state", value: { state: Number(state) as State } }),
};

function choiceIn({ filter: { case: kind, value } }: Filter): Choices {
  if (kind === "projectId") return { project: value.id };
  if (kind === "organizationId") return { organization: value.id };
  if (kind === "state" && value.state !== State.UNSPECIFIED) return { state: String(value.state) };
  const [role] = kind === "roleKeys" && value.keys.length === 1 ? value.keys : [];
  return role === undefined ? {} : { role };
}

/** The choices in filters. Other filters, such as groups, are left alone. */
export function choicesIn(filters: Filters): Choices {
  return Object.assign({}, ...filters.map(choiceIn).reverse());
}

/** The filters with another choice; with `undefined`, without it. */
export function withChoice(filters: Filters, facet: Facet, value: string | undefined): Filters {
  const index = filters.findIndex((filter) => facet in choiceIn(filter));
  const made = value === undefined ? [] : [filterOf[facet](value)];
  if (index < 0) return [...filters, ...made];
  const changed = filters.toSpliced(index, 1, ...made);
  // A role belongs to its project.
  return facet === "project" && choicesIn(filters).project !== value ? withChoice(changed, "role", undefined) : changed;
}

/** The filters with several choices. */
export function withChoices(filters: Filters, choices: Choices): Filters {
  const chosen = Object.entries(choices) as [Facet, string][];
  return chosen.reduce((changed, [facet, value]) => withChoice(changed, facet, value), filters);
}

/**
 * The filters to count the values of a facet with: without its own choice. So the count of a value is how many
 * assignments are listed once that value is chosen instead.
 */
export function countedWith(filters: Filters, facet: Facet): Filters {
  return facet in choicesIn(filters) ? withChoice(filters, facet, undefined) : filters;
}
