import "./facets.css";
import { type AuthorizationsSearchFilter, OverviewService } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import { facetWords } from "../words/facets.ts";
import { type Choices, choicesIn, type Facet, withChoice } from "./choices.ts";
import { FacetList } from "./facet-list.tsx";
import {
  type Option,
  organizationOptions,
  projectOptions,
  roleOptions,
  rolesOfProject,
  stateOptions,
} from "./options.ts";

type Filters = readonly AuthorizationsSearchFilter[];

type Props = {
  filters: AuthorizationsSearchFilter[];
  /** Takes a function, because the filters may have changed since they were rendered. */
  onChange: (change: (filters: Filters) => Filters) => void;
  /** Whether the rows for these filters are there. The counts are requested only then, so they never delay the rows. */
  isListed: boolean;
  /** Whether the person has just opened it, so it takes the focus. */
  isAskedFor: boolean;
  onClose: () => void;
};

/** How many of each kind are counted. */
const top = 10;
/** For how long counts are kept, in milliseconds. They are requested again after each change. */
const fresh = 60_000;

/** Counts of the listed assignments by project, organization, role and state. A click filters by one of them. */
export function Facets({ filters, onChange, isListed, isAskedFor, onClose }: Props) {
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(
    OverviewService.method.getOverview,
    { filters, top, days: 1 },
    { enabled: isListed, placeholderData: keepPreviousData, staleTime: fresh },
  );
  const chosen = choicesIn(filters);
  const project = useChosenProject(chosen.project, isListed);
  const inSteadyOrder = useSteadyOrder();
  const place = useRef<HTMLElement>(null);
  useFocusOnOpening(place, isAskedFor);

  function choose(facet: Facet, { isChosen, choice }: Option) {
    if (isChosen) return onChange((now) => withChoice(now, facet, undefined));
    onChange((now) => {
      let changed = now;
      for (const one of Object.keys(choice) as Facet[]) changed = withChoice(changed, one, choice[one]);
      return changed;
    });
  }

  return (
    <aside
      ref={place}
      className="facets"
      aria-label={facetWords.title}
      aria-busy={isFetching}
      tabIndex={-1}
      onKeyDown={({ key }) => key === "Escape" && onClose()}
    >
      <button type="button" className="facets-done" onClick={onClose}>
        {facetWords.done}
      </button>
      {error && (
        <p role="alert">
          {facetWords.failed}{" "}
          <button type="button" onClick={() => void refetch()}>
            {facetWords.retry}
          </button>
        </p>
      )}
      {data === undefined && !error && <p className="muted">{facetWords.counting}</p>}
      {data && (
        <div className="facet-lists" data-outdated={isPlaceholderData || undefined}>
          {(Object.keys(facetWords.facets) as Facet[]).map((facet) => (
            <FacetList
              key={facet}
              title={facet === "role" && project ? facetWords.rolesOf(project.name) : facetWords.facets[facet]}
              onChoose={(option) => choose(facet, option)}
              {...listOf(facet)}
            />
          ))}
        </div>
      )}
    </aside>
  );

  function listOf(facet: Facet): { options: Option[]; rest: string | undefined } {
    if (data === undefined) return { options: [], rest: undefined };
    const others = (count: number) => (count > 0 ? facetWords.others(count) : undefined);
    switch (facet) {
      case "project":
        return { options: inSteadyOrder(facet, projectOptions(data, chosen)), rest: others(data.forOtherProjects) };
      case "organization":
        return {
          options: inSteadyOrder(facet, organizationOptions(data, chosen)),
          rest: others(data.inOtherOrganizations),
        };
      case "state":
        return { options: stateOptions(data, chosen), rest: undefined };
      case "role":
        return project
          ? {
              options: inSteadyOrder(`role ${chosen.project}`, rolesOfProject(data, project.roles, chosen)),
              rest: project.rest,
            }
          : { options: inSteadyOrder(facet, roleOptions(data, chosen)), rest: undefined };
    }
  }
}

/** Keeps options where they were first, so none moves under the pointer when the counts change. New ones come last. */
function useSteadyOrder() {
  const [orders] = useState(() => new Map<string, string[]>());
  return (list: string, options: readonly Option[]): Option[] => {
    const known = orders.get(list) ?? [];
    const order = [...known, ...options.map(({ key }) => key).filter((key) => !known.includes(key))];
    orders.set(list, order);
    return options.toSorted((one, other) => order.indexOf(one.key) - order.indexOf(other.key));
  };
}

/** The chosen project with all of its roles, also those that none of the listed assignments has. */
function useChosenProject(id: Choices["project"], isListed: boolean) {
  const { data } = useQuery(
    DirectoryService.method.listProjects,
    id === undefined
      ? skipToken
      : { filters: [{ filter: { case: "ids", value: { ids: [id] } } }], pagination: { skipTotal: true } },
    { enabled: isListed, staleTime: fresh },
  );
  const project = id === undefined ? undefined : data?.projects[0];
  if (project === undefined) return undefined;
  const unlisted = project.totalRoles - project.roles.length;
  return {
    name: project.name || project.id,
    roles: project.roles,
    rest: unlisted > 0 ? facetWords.unlisted(unlisted) : undefined,
  };
}

function useFocusOnOpening(place: RefObject<HTMLElement | null>, isAskedFor: boolean) {
  useEffect(() => {
    if (isAskedFor) place.current?.focus();
  }, [place, isAskedFor]);
}
