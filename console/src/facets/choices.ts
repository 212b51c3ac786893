import {
  type AuthorizationsSearchFilter as Filter,
  type GetOverviewResponse,
  State,
} from "@authorization-service/client";
import { asFilter } from "../filters/content.ts";
import { facetWords } from "../words/facets.ts";

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

/** A value to choose. */
export type Option = {
  readonly key: string;
  /** Undefined if it is not known here. */
  readonly name?: string | undefined;
  /** What distinguishes it from others with the same name. */
  readonly detail?: string;
  /** How many assignments are listed once it is chosen. */
  readonly count?: number;
  /** What is chosen with it. */
  readonly choice: Choices;
};

/** The values of a facet, those with the most assignments first, and whether there are others. */
export function optionsOf(facet: Facet, counted: GetOverviewResponse, chosen: Choices) {
  const options = countedOf(facet, counted, chosen);
  const isLeft = { project: counted.forOtherProjects, organization: counted.inOtherOrganizations };
  const others = { ...isLeft, role: counted.ofOtherRoles, state: 0 }[facet];
  const value = chosen[facet];
  // The chosen value is always among the options, so it can be taken back there.
  const isMissing = value !== undefined && !options.some(({ choice }) => isChosen(choice, chosen));
  const missing = isMissing ? [{ key: value, choice: { [facet]: value } }] : [];
  return { options: [...missing, ...options], hasOthers: others > 0 };
}

export function isChosen(choice: Choices, chosen: Choices): boolean {
  return Object.entries(choice).every(([facet, value]) => chosen[facet as Facet] === value);
}

function countedOf(facet: Facet, counted: GetOverviewResponse, chosen: Choices): Option[] {
  switch (facet) {
    case "project":
      return counted.projects.map(({ project, count }) => ({ ...named(facet, project), count }));
    case "organization":
      return counted.organizations.map(({ organization, count }) => ({ ...named(facet, organization), count }));
    case "role":
      // A key identifies a role only within its project.
      return counted.roles.map(({ project, role, count }) => ({
        key: JSON.stringify([project?.id, role?.key]),
        name: role?.displayName || role?.key,
        ...(chosen.project === undefined && { detail: project?.name || project?.id || "" }),
        count,
        choice: { project: project?.id ?? "", role: role?.key ?? "" },
      }));
    case "state":
      return counted.states.map(({ state, count }) => ({
        ...{ key: String(state), name: facetWords.states[state === State.ACTIVE ? "active" : "inactive"], count },
        choice: { state: String(state) },
      }));
  }
}

function named(facet: Facet, { id, name }: { readonly id: string; readonly name: string } = { id: "", name: "" }) {
  return { key: id, name: name || id, choice: { [facet]: id } };
}
