import { filterWords } from "../../words/filters.ts";
import { type Kind, kindNames } from "../content.ts";
import { groups, kinds } from "../kinds.ts";

/** The list of all kinds of filters, to start one. A group needs room for a nested filter. */
export function KindList({ room, onPick }: { room: number; onPick: (kind: Kind) => void }) {
  return (
    <div className="kind-list">
      {groups
        .filter((group) => group !== "groups" || room > 1)
        .map((group) => (
          <section key={group} aria-label={filterWords.groups[group]}>
            <h3>{filterWords.groups[group]}</h3>
            <ul className="lines">
              {kindNames
                .filter((kind) => kinds[kind].group === group)
                .map((kind) => (
                  <li key={kind}>
                    <button type="button" className="plain" onClick={() => onPick(kind)}>
                      {kinds[kind].name}
                    </button>
                  </li>
                ))}
            </ul>
          </section>
        ))}
    </div>
  );
}
