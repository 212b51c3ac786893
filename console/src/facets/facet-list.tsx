import { type KeyboardEvent, useId, useState } from "react";
import { facetWords } from "../words/facets.ts";
import type { Option } from "./options.tsx";

type Props = {
  title: string;
  options: readonly Option[];
  /** About what is not listed. */
  rest: string | undefined;
  /** Whether the counts are still those of other filters. They would be wrong, so they are hidden, but keep their places. */
  isOutdated: boolean;
  onChoose: (option: Option) => void;
};

/** How many options are shown at first, and at most. */
const atFirst = 10;
const most = 200;

/** The values of one kind, each a button that filters by it, or no longer does. */
export function FacetList({ title, options, rest, isOutdated, onChoose }: Props) {
  const heading = useId();
  const [isWhole, setWhole] = useState(false);
  // Tab goes from list to list, and the arrow keys within one: otherwise the table would be dozens of stops away.
  const [current, setCurrent] = useState(0);
  const room = isWhole ? most : atFirst;
  const shown = options.filter(({ isChosen }, index) => isChosen || index < room);
  if (options.length === 0) return null;
  return (
    <section aria-labelledby={heading} data-outdated={isOutdated || undefined}>
      <h2 id={heading} className="facet-title">
        {title}
      </h2>
      <ul onKeyDown={moveBetweenOptions}>
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
      {options.length > shown.length && !isWhole && (
        <button type="button" className="plain facet-more" onClick={() => setWhole(true)}>
          {facetWords.showAll(options.length)}
        </button>
      )}
      {rest !== undefined && <p className="muted">{rest}</p>}
    </section>
  );
}

function moveBetweenOptions(event: KeyboardEvent<HTMLElement>) {
  const options = [...event.currentTarget.querySelectorAll<HTMLElement>(".facet-option")];
  const from = options.indexOf(document.activeElement as HTMLElement);
  const target = { ArrowUp: from - 1, ArrowDown: from + 1, Home: 0, End: options.length - 1 }[event.key];
  if (from < 0 || target === undefined || options[target] === undefined) return;
  event.preventDefault();
  options[target].focus();
}
