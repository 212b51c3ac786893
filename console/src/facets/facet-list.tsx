import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { type KeyboardEvent, useId, useState } from "react";
import { withWords } from "../directory/requests.ts";
import { useSettled } from "../pickers/found.ts";
import { hasAll, wordsIn } from "../search/hits.ts";
import { facetWords } from "../words/facets.ts";
import type { Option } from "./options.tsx";

type Props = {
  title: string;
  options: readonly Option[];
  /** About what is not listed. */
  rest: string | undefined;
  /** Whether the counts are still those of other filters. They would be wrong, so they are hidden, but keep their places. */
  isOutdated: boolean;
  /** What else there is to find by name, in the directory. */
  findMore: "project" | "organization" | undefined;
  onChoose: (option: Option) => void;
};

/** How many options are shown at first, and at most. */
const atFirst = 10;
const most = 200;

/** The values of one kind, each a button that filters by it, or no longer does. */
export function FacetList({ title, options, rest, findMore, isOutdated, onChoose }: Props) {
  const heading = useId();
  const [typed, setTyped] = useState({ of: title, text: "" });
  const isSearched = options.length > atFirst || rest !== undefined;
  // What was typed for another list, or into a box that is gone, must not hide anything here.
  const text = isSearched && typed.of === title ? typed.text : "";
  const words = wordsIn(text);
  const more = useMore(findMore, text.trim());
  const [isWhole, setWhole] = useState(false);
  // Tab goes from list to list, and the arrow keys within one: otherwise the table would be dozens of stops away.
  const [current, setCurrent] = useState(0);
  const room = isWhole ? most : atFirst;
  const found = options.filter(({ isChosen, name, detail = "" }) => isChosen || hasAll(`${name} ${detail}`, words));
  const known = new Set(options.map(({ key }) => key));
  const all = [...found, ...more.filter(({ key }) => !known.has(key))];
  const shown = all.filter(({ isChosen }, index) => isChosen || index < room);
  if (options.length === 0) return null;
  return (
    <section aria-labelledby={heading} data-outdated={isOutdated || undefined}>
      <h2 id={heading} className="facet-title">
        {title}
      </h2>
      {isSearched && (
        <input
          type="search"
          className="facet-search"
          aria-label={facetWords.find(title)}
          placeholder={facetWords.find(title)}
          value={text}
          onChange={({ target }) => setTyped({ of: title, text: target.value })}
        />
      )}
      {shown.length === 0 && <p className="muted">{facetWords.notFound}</p>}
      <ul className="lines" onKeyDown={moveBetweenOptions}>
        {shown.map((option, index) => (
          <li key={option.key}>
            <button
              type="button"
              className="facet-option"
              aria-pressed={option.isChosen}
              tabIndex={index === Math.min(current, shown.length - 1) ? 0 : -1}
              onFocus={() => setCurrent(index)}
              onClick={() => onChoose(option)}
            >
              <span>
                <bdi>{option.name}</bdi> {option.detail !== undefined && <bdi className="muted">{option.detail}</bdi>}
              </span>
              {option.count !== undefined && (
                <span className="facet-count" title={facetWords.counted(option.count)}>
                  {facetWords.count(option.count)}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {all.length > shown.length && !isWhole && (
        <button type="button" className="plain facet-more" onClick={() => setWhole(true)}>
          {facetWords.showAll(all.length)}
        </button>
      )}
      {rest !== undefined && <p className="muted">{rest}</p>}
    </section>
  );
}

/** Those with no assignment among the listed ones, or with too few to be counted. */
function useMore(facet: Props["findMore"], text: string): Option[] {
  const request = { filters: withWords(useSettled(text)), pagination: { limit: atFirst, skipTotal: true } };
  const isAsked = request.filters.length > 0;
  const { listProjects, listOrganizations } = DirectoryService.method;
  const projects = useQuery(listProjects, request, { enabled: isAsked && facet === "project" });
  const organizations = useQuery(listOrganizations, request, { enabled: isAsked && facet === "organization" });
  const named = (facet === "project" ? projects.data?.projects : organizations.data?.organizations) ?? [];
  if (facet === undefined || !isAsked) return [];
  return named.map(({ id, name }) => ({
    ...{ key: id, name: name || id, count: undefined, isChosen: false },
    choice: { [facet]: id },
  }));
}

function moveBetweenOptions(event: KeyboardEvent<HTMLElement>) {
  const options = [...event.currentTarget.querySelectorAll<HTMLElement>(".facet-option")];
  const from = options.indexOf(document.activeElement as HTMLElement);
  const target = { ArrowUp: from - 1, ArrowDown: from + 1, Home: 0, End: options.length - 1 }[event.key];
  if (from < 0 || target === undefined || options[target] === undefined) return;
  event.preventDefault();
  options[target].focus();
}
