import { words } from "../words/search.ts";
import { type Destination, toHistory, toUsersNamed } from "./destinations.ts";
import type { Kind } from "./hits.ts";
import type { useHits } from "./use-hits.ts";

type Props = { text: string; found: ReturnType<typeof useHits>; onGo: (destination: Destination) => void };

const list = new Intl.ListFormat("en");

/** Says what was searched, and where else to look if nothing was found. */
export function SearchStatus({ text, found, onGo }: Props) {
  const isNothing = !found.isIdle && !found.isAsking && found.groups.length === 0;
  const named = (kinds: readonly Kind[]) => list.format(kinds.map((kind) => words.kindsSearched[kind]));
  return (
    <div className="search-status">
      <p role="status" className="muted">
        {found.isIdle ? words.start : found.isAsking ? words.searching : isNothing && words.nothing(text.trim())}{" "}
        {!found.isIdle && !found.isAsking && words.searched(named(found.searched), found.searchedProjects)}
      </p>
      {found.failed.length > 0 && (
        <p role="alert" className="problem">
          {words.failed(named(found.failed))}
        </p>
      )}
      {isNothing && (
        <ul>
          {found.sought.length > 1 && <li>{words.elsewhere.fewerWords}</li>}
          <li>{words.elsewhere.exact}</li>
          <li>
            {words.elsewhere.removed}{" "}
            <button type="button" onClick={() => onGo(toHistory)}>
              {words.elsewhere.history}
            </button>
          </li>
          <li>
            <button type="button" onClick={() => onGo(toUsersNamed(found.sought))}>
              {words.elsewhere.assignments}
            </button>
          </li>
        </ul>
      )}
    </div>
  );
}
