import { type GetOverviewResponse, type Role, State } from "@authorization-service/client";
import { nameOf } from "../parts/role-chips.tsx";
import { facetWords } from "../words/facets.ts";
import type { Choices } from "./choices.ts";

/** A value to choose, and how many of the listed assignments have it. */
export type Option = {
  readonly key: string;
  readonly name: string;
  /** What distinguishes it from others with the same name. */
  readonly detail?: string;
  readonly count: number;
  readonly isChosen: boolean;
  /** What is chosen with it. */
  readonly choice: Choices;
};

export function projectOptions({ projects }: GetOverviewResponse, chosen: Choices): Option[] {
  return projects.map(({ project: { id, name } = { id: "", name: "" }, count }) => ({
    key: id,
    name: name || id,
    count,
    isChosen: id === chosen.project,
    choice: { project: id },
  }));
}

export function organizationOptions({ organizations }: GetOverviewResponse, chosen: Choices): Option[] {
  return organizations.map(({ organization: { id, name } = { id: "", name: "" }, count }) => ({
    key: id,
    name: name || id,
    count,
    isChosen: id === chosen.organization,
    choice: { organization: id },
  }));
}

export function stateOptions({ states }: GetOverviewResponse, chosen: Choices): Option[] {
  return states.map(({ state, count }) => ({
    key: String(state),
    name: state === State.ACTIVE ? facetWords.states.active : facetWords.states.inactive,
    count,
    isChosen: state === chosen.state,
    choice: { state },
  }));
}

/** The roles that the listed assignments have most often. A key identifies a role only within its project. */
export function roleOptions({ roles }: GetOverviewResponse, chosen: Choices): Option[] {
  return roles.flatMap(({ project, role, count }) =>
    project && role
      ? {
          key: JSON.stringify([project.id, role.key]),
          name: nameOf(role),
          detail: project.name || project.id,
          count,
          isChosen: role.key === chosen.role,
          choice: { project: project.id, role: role.key },
        }
      : [],
  );
}

/** All roles of the chosen project, those that are held most often first. */
export function rolesOfProject(
  { roles }: GetOverviewResponse,
  offered: readonly Pick<Role, "key" | "displayName">[],
  chosen: Choices,
): Option[] {
  const counts = new Map(roles.map(({ role, count }) => [role?.key, count]));
  return offered
    .map((role) => ({
      key: role.key,
      name: nameOf(role),
      count: counts.get(role.key) ?? 0,
      isChosen: role.key === chosen.role,
      choice: { role: role.key },
    }))
    .sort((one, other) => other.count - one.count);
}
