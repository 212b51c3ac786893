import { type GetOverviewResponse, type Role, State } from "@authorization-service/client";
import type { ReactNode } from "react";
import { Name } from "../filters/filter-words.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { facetWords } from "../words/facets.ts";
import type { Choices, Facet } from "./choices.ts";

/** A value to choose. */
export type Option = {
  readonly key: string;
  readonly name: ReactNode;
  /** What distinguishes it from others with the same name. */
  readonly detail?: string;
  /** How many assignments are listed once it is chosen; undefined if that is not known exactly. */
  readonly count: number | undefined;
  readonly isChosen: boolean;
  /** What is chosen with it. */
  readonly choice: Choices;
};

/** The values of one facet. */
export type Options = {
  readonly options: readonly Option[];
  /** About what is not among them. */
  readonly rest?: string | undefined;
};

/** How many projects, organizations and roles are counted, and so offered: as many as the service counts. */
export const mostOffered = 100;

export function projectOptions({ totalResult, projects }: GetOverviewResponse, chosen: Choices): Options {
  const counted = projects.map(({ project, count }) => ({ ...project, count }));
  return named("project", counted, totalResult, chosen);
}

export function organizationOptions({ totalResult, organizations }: GetOverviewResponse, chosen: Choices): Options {
  const counted = organizations.map(({ organization, count }) => ({ ...organization, count }));
  return named("organization", counted, totalResult, chosen);
}

type Counted = { readonly id?: string; readonly name?: string; readonly count: number };

function named(facet: "project" | "organization", all: readonly Counted[], total: number, chosen: Choices): Options {
  const counted = all.slice(0, mostOffered).map(
    ({ id = "", name, count }): Option => ({
      ...{ key: id, name: name || id, count },
      isChosen: id === chosen[facet],
      choice: { [facet]: id },
    }),
  );
  const options = withChosen(counted, facet, chosen);
  const left = total - counted.reduce((sum, { count = 0 }) => sum + count, 0);
  if (left <= 0) return { options };
  // What is left includes assignments with the chosen value then.
  return { options, rest: options === counted ? facetWords.others(left) : facetWords.someOthers };
}

export function stateOptions({ states }: GetOverviewResponse, chosen: Choices): Options {
  return {
    options: states.map(({ state, count }) => ({
      key: String(state),
      name: state === State.ACTIVE ? facetWords.states.active : facetWords.states.inactive,
      count,
      isChosen: state === chosen.state,
      choice: { state },
    })),
  };
}

/** The roles that the listed assignments have most often. A key identifies a role only within its project. */
export function roleOptions({ roles }: GetOverviewResponse, chosen: Choices): Options {
  const options = roles.slice(0, mostOffered).flatMap(({ project, role, count }): Option[] =>
    project && role
      ? [
          {
            key: JSON.stringify([project.id, role.key]),
            name: nameOf(role),
            detail: project.name || project.id,
            count,
            isChosen: project.id === chosen.project && role.key === chosen.role,
            choice: { project: project.id, role: role.key },
          },
        ]
      : [],
  );
  return { options: withChosen(options, "role", chosen) };
}

/** All roles of the chosen project, those that are held most often first. */
export function rolesOfProject(
  { roles, ofOtherRoles }: GetOverviewResponse,
  offered: readonly Pick<Role, "key" | "displayName">[],
  chosen: Choices,
): readonly Option[] {
  const ofProject = roles.filter(({ project }) => project?.id === chosen.project);
  const counts = new Map(ofProject.map(({ role, count }) => [role?.key, count]));
  // Roles that are not counted are held by none, unless there are more than are counted.
  const uncounted = ofOtherRoles === 0 ? 0 : undefined;
  const options = offered
    .map(
      (role): Option => ({
        key: role.key,
        name: nameOf(role),
        count: counts.get(role.key) ?? uncounted,
        isChosen: role.key === chosen.role,
        choice: { role: role.key },
      }),
    )
    .sort((one, other) => (other.count ?? 0) - (one.count ?? 0));
  return withChosen(options, "role", chosen);
}

/** The chosen value is always among the options, so it can be taken back there. */
function withChosen(options: readonly Option[], facet: Exclude<Facet, "state">, chosen: Choices): readonly Option[] {
  const id = chosen[facet];
  if (id === undefined || options.some(({ isChosen }) => isChosen)) return options;
  return [
    {
      key: id,
      name: nameOfChosen(facet, id, chosen.project),
      count: undefined,
      isChosen: true,
      choice: { [facet]: id },
    },
    ...options,
  ];
}

function nameOfChosen(facet: Exclude<Facet, "state">, id: string, project: string | undefined): ReactNode {
  if (facet !== "role") return <Name named={{ thing: facet, id }} />;
  return project === undefined ? id : <Name named={{ thing: facet, id, project }} />;
}
