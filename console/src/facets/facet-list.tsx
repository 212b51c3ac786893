import { useId, useState } from "react";
import { moveBetweenRows } from "../assignments/row-focus.ts";
import { Name } from "../filters/filter-words.tsx";
import { hasAll, wordsIn } from "../search/hits.ts";
import { facetWords as words } from "../words/facets.ts";
import type { Choices, Facet } from "./choices.ts";
import { isChosen, type Option } from "./options.ts";

type Props = {
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
export function FacetList({ facet, options, hasOthers, chosen, total, isOutdated, onChoose }: Props) {
  const heading = useId();
  const [typed, setTyped] = useState("");
  const [isWhole, setWhole] = useState(false);
  if (options.length === 0) return null;
  const title = words.facets[facet];
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
        {title}
      </h2>
      {isSearched && (
        <input
          type="search"
          aria-label={words.find(title)}
          placeholder={words.find(title)}
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
