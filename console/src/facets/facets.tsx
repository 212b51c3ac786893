import "./facets.css";
import {
  type AuthorizationsSearchFilter,
  type GetOverviewResponse,
  OverviewService,
} from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import { withId } from "../directory/requests.ts";
import { announce } from "../parts/announcements.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { facetWords } from "../words/facets.ts";
import { type Choices, choicesIn, countedWith, type Facet, withChoice, withChoices } from "./choices.ts";
import { FacetList } from "./facet-list.tsx";
import {
  mostOffered,
  type Option,
  type Options,
  organizationOptions,
  projectOptions,
  roleOptions,
  rolesOfProject,
  stateOptions,
} from "./options.tsx";

type Filters = readonly AuthorizationsSearchFilter[];

type Props = {
  filters: Filters;
  /** Takes a function, because the filters may have changed since they were rendered. */
  onChange: (change: (filters: Filters) => Filters) => void;
  /** How many assignments the filters list; undefined until that is known. */
  total: number | undefined;
  /** Whether the rows for these filters are there. The counts are requested only then, so they never delay the rows. */
  isListed: boolean;
  /** When the person last asked to refresh, in milliseconds since 1970: counts from before are requested again. */
  refreshedAt: number;
  /** Whether the person has just opened it, so it takes the focus. */
  isAskedFor: boolean;
  onClose: () => void;
};

/** For how long counts are kept, in milliseconds. They are requested again after each change and each refresh. */
const fresh = 60_000;

/**
 * Counts of assignments by project, organization, role and state. A click filters by one of them. The number beside a
 * value is how many assignments are listed after the click; beside the chosen value, how many are listed now.
 */
export function Facets({ filters, onChange, total, isListed, refreshedAt, isAskedFor, onClose }: Props) {
  const chosen = choicesIn(filters);
  const counts = useCounts(filters, { enabled: isListed, staleTime: untilRefreshed(refreshedAt) });
  const all = Object.values(counts);
  const project = useChosenProject(chosen.project, isListed);
  const inSteadyOrder = useSteadyOrder();
  const place = useRef<HTMLElement>(null);
  useFocusOnOpening(place, isAskedFor);
  const hasFailed = all.some(({ error }) => error !== null);

  return (
    <aside
      ref={place}
      className="facets"
      aria-label={facetWords.title}
      aria-busy={all.some(({ isFetching }) => isFetching)}
      tabIndex={-1}
      onKeyDown={({ key }) => key === "Escape" && onClose()}
    >
      <button type="button" className="facets-done" onClick={onClose}>
        {facetWords.done}
      </button>
      {hasFailed && (
        <p role="alert">
          {facetWords.failed}{" "}
          <button type="button" onClick={() => void Promise.all(all.map(({ error, refetch }) => error && refetch()))}>
            {facetWords.retry}
          </button>
        </p>
      )}
      {!hasFailed && all.every(({ data }) => data === undefined) && <p className="muted">{facetWords.counting}</p>}
      <div className="facet-lists">
        {(Object.keys(facetWords.facets) as Facet[]).map((facet) => {
          const { data, isPlaceholderData } = counts[facet];
          const isOfProject = facet === "role" && project !== undefined;
          const { options, rest } = data ? optionsOf(facet, data) : { options: [] };
          const ordered = inSteadyOrder(isOfProject ? `role ${chosen.project}` : facet, options);
          return (
            <FacetList
              key={facet}
              title={isOfProject ? facetWords.rolesOf(project.name) : facetWords.facets[facet]}
              options={ordered.map((option) => (option.isChosen ? { ...option, count: total } : option))}
              rest={rest}
              findMore={facet === "project" || facet === "organization" ? facet : undefined}
              isOutdated={isPlaceholderData}
              onChoose={({ isChosen, choice }) => {
                const choose = (now: Filters) =>
                  isChosen ? withChoice(now, facet, undefined) : withChoices(now, choice);
                if (facet === "project") sayIfRoleIsLost(choicesIn(choose(filters)));
                onChange(choose);
              }}
            />
          );
        })}
      </div>
    </aside>
  );

  /** A role belongs to its project, so its filter is removed with that of the project. */
  function sayIfRoleIsLost(next: Choices) {
    if (chosen.role === undefined || next.role !== undefined) return;
    const role = project?.roles.find(({ key }) => key === chosen.role);
    announce({ text: facetWords.roleRemoved(role ? nameOf(role) : chosen.role) });
  }

  function optionsOf(facet: Facet, data: GetOverviewResponse): Options {
    switch (facet) {
      case "project":
        return projectOptions(data, chosen);
      case "organization":
        return organizationOptions(data, chosen);
      case "state":
        return stateOptions(data, chosen);
      case "role":
        return project
          ? { options: rolesOfProject(data, project.roles, chosen), rest: project.rest }
          : roleOptions(data, chosen);
    }
  }
}

/** When counts are requested. */
type When = {
  readonly enabled: boolean;
  readonly staleTime: (query: { readonly state: { readonly dataUpdatedAt: number } }) => number;
};

/**
 * What is counted for each facet. Facets without a choice are counted with the same filters, and so by one request. A
 * choice leaves the counts of its own facet as they were, so they are not requested again.
 */
function useCounts(filters: Filters, when: When) {
  return {
    project: useCount(countedWith(filters, "project"), when),
    organization: useCount(countedWith(filters, "organization"), when),
    role: useCount(countedWith(filters, "role"), when),
    state: useCount(countedWith(filters, "state"), when),
  } satisfies Record<Facet, unknown>;
}

function useCount(filters: Filters, when: When) {
  return useQuery(
    OverviewService.method.getOverview,
    { filters: [...filters], top: mostOffered, days: 1 },
    { ...when, placeholderData: keepPreviousData },
  );
}

const untilRefreshed =
  (refreshedAt: number): When["staleTime"] =>
  ({ state }) =>
    state.dataUpdatedAt < refreshedAt ? 0 : fresh;

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
  const { data } = useQuery(DirectoryService.method.listProjects, id === undefined ? skipToken : withId(id), {
    enabled: isListed,
    staleTime: fresh,
  });
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
