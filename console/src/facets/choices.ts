import { type AuthorizationsSearchFilter, State } from "@authorization-service/client";
import { asFilter } from "../filters/content.ts";

type Filter = AuthorizationsSearchFilter;
type Filters = readonly Filter[];

/** What can be chosen with a click beside the table. */
export type Facet = "project" | "organization" | "role" | "state";

/** The values of the filters that a click chooses: ids, a role key, and a state. */
export type Choices = {
  readonly project?: string;
  readonly organization?: string;
  readonly role?: string;
  readonly state?: State;
};

/** The choices in filters. Other filters, such as groups, are left alone. */
export function choicesIn(filters: Filters): Choices {
  const found: { -readonly [F in Facet]?: Choices[F] } = {};
  for (const filter of filters) Object.assign(found, { ...choiceIn(filter), ...found });
  return found;
}

/** The filters with another choice; with `undefined`, without it. */
export function withChoice<F extends Facet>(filters: Filters, facet: F, value: Choices[F] | undefined): Filters {
  const index = filters.findIndex((filter) => facet in choiceIn(filter));
  const made = value === undefined ? [] : [filterOf(facet, value)];
  if (index < 0) return [...filters, ...made];
  const changed = filters.toSpliced(index, 1, ...made);
  // A role belongs to its project.
  return facet === "project" && choicesIn(filters).project !== value ? withChoice(changed, "role", undefined) : changed;
}

/** The filters with several choices. */
export function withChoices(filters: Filters, choices: Choices): Filters {
  const facets = Object.keys(choices) as Facet[];
  return facets.reduce((changed, facet) => withChoice(changed, facet, choices[facet]), filters);
}

/**
 * The filters to count the values of a facet with: without its own choice. So the count of a value is how many
 * assignments are listed once that value is chosen instead.
 */
export function countedWith(filters: Filters, facet: Facet): Filters {
  return facet in choicesIn(filters) ? withChoice(filters, facet, undefined) : filters;
}

function choiceIn({ filter: { case: kind, value } }: Filter): Choices {
  if (kind === "projectId") return { project: value.id };
  if (kind === "organizationId") return { organization: value.id };
  if (kind === "state" && value.state !== State.UNSPECIFIED) return { state: value.state };
  const [key] = kind === "roleKeys" && value.keys.length === 1 ? value.keys : [];
  return key === undefined ? {} : { role: key };
}

function filterOf(facet: Facet, value: string | State): Filter {
  switch (facet) {
    case "project":
      return asFilter({ case: "projectId", value: { id: String(value) } });
    case "organization":
      return asFilter({ case: "organizationId", value: { id: String(value) } });
    case "role":
      return asFilter({ case: "roleKeys", value: { keys: [String(value)] } });
    case "state":
      return asFilter({ case: "state", value: { state: Number(value) as State } });
  }
}
