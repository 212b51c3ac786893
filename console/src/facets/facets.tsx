import "./facets.css";
import { type AuthorizationsSearchFilter, OverviewService } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { facetWords as words } from "../words/facets.ts";
import { choicesIn, countedWith, type Facet, withChoice, withChoices } from "./choices.ts";
import { FacetList } from "./facet-list.tsx";
import { optionsOf } from "./options.ts";

type Filters = readonly AuthorizationsSearchFilter[];

type Props = {
  filters: Filters;
  /** Takes a function, because the filters may have changed since they were rendered. */
  onChange: (change: (filters: Filters) => Filters) => void;
  /** How many assignments the filters list; undefined until that is known. */
  total: number | undefined;
  /** Whether the rows for these filters are there. The counts are requested only then, so they never delay the rows. */
  isListed: boolean;
  /** Whether the person has just opened it, so it takes the focus. */
  isAskedFor: boolean;
  onClose: () => void;
};

/**
 * Counts of assignments by project, organization, role and state. A click filters by one of them. The number beside a
 * value is how many assignments are listed after the click; beside the chosen value, how many are listed now.
 */
export function Facets({ filters, onChange, total, isListed, isAskedFor, onClose }: Props) {
  const chosen = choicesIn(filters);
  // Facets without a choice are counted with the same filters, and so by one request.
  const counts: Record<Facet, ReturnType<typeof useCount>> = {
    project: useCount(countedWith(filters, "project"), isListed),
    organization: useCount(countedWith(filters, "organization"), isListed),
    role: useCount(countedWith(filters, "role"), isListed),
    state: useCount(countedWith(filters, "state"), isListed),
  };
  const all = Object.values(counts);
  const hasFailed = all.some(({ error }) => error !== null);
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isAskedFor) place.current?.focus();
  }, [isAskedFor]);

  return (
    <aside
      ref={place}
      className="facets"
      aria-label={words.title}
      aria-busy={all.some(({ isFetching }) => isFetching)}
      tabIndex={-1}
      onKeyDown={({ key }) => key === "Escape" && onClose()}
    >
      <button type="button" className="facets-done" onClick={onClose}>
        {words.done}
      </button>
      {hasFailed && (
        <p role="alert">
          {words.failed}{" "}
          <button type="button" onClick={() => void Promise.all(all.map(({ error, refetch }) => error && refetch()))}>
            {words.retry}
          </button>
        </p>
      )}
      {!hasFailed && all.every(({ data }) => data === undefined) && <p className="muted">{words.counting}</p>}
      {(Object.keys(counts) as Facet[]).map((facet) => {
        const { data, isPlaceholderData } = counts[facet];
        return (
          data && (
            <FacetList
              key={facet}
              facet={facet}
              {...optionsOf(facet, data, chosen)}
              chosen={chosen}
              total={total}
              isOutdated={isPlaceholderData}
              onChoose={(choice, isTakenBack) =>
                onChange((now) => (isTakenBack ? withChoice(now, facet, undefined) : withChoices(now, choice)))
              }
            />
          )
        );
      })}
    </aside>
  );
}

/** What the filters list, counted by everything. It is counted again after each change and each refresh, and each minute. */
function useCount(filters: Filters, enabled: boolean) {
  return useQuery(
    OverviewService.method.getOverview,
    { filters: [...filters], top: 100, days: 1 },
    { enabled, staleTime: 60_000, placeholderData: keepPreviousData },
  );
}
