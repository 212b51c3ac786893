import { type GetOverviewResponse, State } from "@authorization-service/client";
import { nameOf } from "../parts/role-chips.tsx";
import { facetWords } from "../words/facets.ts";
import type { Choices, Facet } from "./choices.ts";

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
        name: role && nameOf(role),
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
