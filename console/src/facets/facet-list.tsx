import { useId, useState } from "react";
import { facetWords } from "../words/facets.ts";
import type { Option } from "./options.ts";

type Props = {
  title: string;
  options: readonly Option[];
  /** About what is not listed. */
  rest: string | undefined;
  onChoose: (option: Option) => void;
};

/** How many options are shown at first, and at most. */
const atFirst = 10;
const most = 200;

/** The values of one kind, each a button that filters by it, or no longer does. */
export function FacetList({ title, options, rest, onChoose }: Props) {
  const heading = useId();
  const [isWhole, setWhole] = useState(false);
  const shown = options.slice(0, isWhole ? most : atFirst);
  if (options.length === 0) return null;
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className="facet-title">
        {title}
      </h2>
      <ul>
        {shown.map((option) => (
          <li key={option.key}>
            <button
              type="button"
              className="facet-option"
              aria-pressed={option.isChosen}
              onClick={() => onChoose(option)}
            >
              <span>
                <bdi>{option.name}</bdi> {option.detail !== undefined && <bdi className="muted">{option.detail}</bdi>}
              </span>
              <span className="facet-count" title={facetWords.counted(option.count)}>
                {facetWords.count(option.count)}
              </span>
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
