import "./facets.css";
import { type AuthorizationsSearchFilter, OverviewService } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { moveBetweenRows } from "../assignments/row-focus.ts";
import { Name } from "../filters/filter-words.tsx";
import { hasAll, wordsIn } from "../search/hits.ts";
import { facetWords as words } from "../words/facets.ts";
import type { Choices, Facet, Option } from "./choices.ts";
import { choicesIn, countedWith, isChosen, optionsOf, withChoice, withChoices } from "./choices.ts";

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

type ListProps = {
  facet: Facet;
  options: readonly Option[];
  /** Whether there are more than the service counts. */
  hasOthers: boolean;
  chosen: Choices;
  /** How many assignments are listed now; undefined until that is known. */
  total: number | undefined;
  /** Whether the counts are still those of other filters. They would be wrong, so they are hidden, but keep their places. */
  isOutdated: boolean;
  /** Chooses an option, or takes it back. */
  onChoose: (choice: Choices, isTakenBack: boolean) => void;
};

/** How many options are shown at first. */
const atFirst = 10;

/** The values of one kind, each a button that filters by it, or no longer does. */
function FacetList({ facet, options, hasOthers, chosen, total, isOutdated, onChoose }: ListProps) {
  const heading = useId();
  const [typed, setTyped] = useState("");
  const [isWhole, setWhole] = useState(false);
  if (options.length === 0) return null;
  const isSearched = options.length > atFirst;
  // What was typed into a box that is gone must not hide anything.
  const sought = wordsIn(isSearched ? typed : "");
  const found = options.filter(
    ({ choice, name, detail = "" }) => isChosen(choice, chosen) || hasAll(`${name} ${detail}`, sought),
  );
  const shown = found.filter(({ choice }, index) => isWhole || index < atFirst || isChosen(choice, chosen));
  return (
    <section className="lines" aria-labelledby={heading} data-outdated={isOutdated || undefined}>
      <h2 id={heading} className="facet-title">
        {words.facets[facet]}
      </h2>
      {isSearched && (
        <input
          type="search"
          aria-label={words.find[facet]}
          placeholder={words.find[facet]}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      {shown.length === 0 && <p className="muted">{words.notFound}</p>}
      <ul className="lines" onKeyDown={moveBetweenRows}>
        {shown.map(({ key, name, detail, count, choice }, index) => {
          const isPressed = isChosen(choice, chosen);
          const number = isPressed ? total : count;
          return (
            <li key={key}>
              <button
                type="button"
                className="facet-option"
                aria-pressed={isPressed}
                // Tab goes from list to list, and the arrow keys within one: the table would be dozens of stops away.
                tabIndex={index === 0 ? 0 : -1}
                onClick={() => onChoose(choice, isPressed)}
              >
                <span>
                  <bdi>{name ?? nameOfChosen(facet, key, chosen.project)}</bdi>{" "}
                  {detail !== undefined && <bdi className="muted">{detail}</bdi>}
                </span>
                {number !== undefined && (
                  <span className="facet-count" title={words.counted(number)}>
                    {words.count(number)}
                  </span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
      {found.length > shown.length && (
        <button type="button" className="plain facet-option" onClick={() => setWhole(true)}>
          {words.showAll(found.length)}
        </button>
      )}
      {hasOthers && <p className="muted">{words.someOthers}</p>}
    </section>
  );
}

function nameOfChosen(facet: Facet, id: string, project: string | undefined) {
  if (facet === "project" || facet === "organization") return <Name named={{ thing: facet, id }} />;
  return project === undefined ? id : <Name named={{ thing: "role", id, project }} />;
}
