import { writtenFilters } from "../assignments/search.ts";
import { quickSearchFor } from "../filters/quick-filters.ts";
import { locale } from "../words/language/language.ts";
import { searchWords } from "../words/search.ts";
import type { Destination, Kind } from "./hits.ts";
import type { useHits } from "./use-hits.ts";

type Props = { text: string; found: ReturnType<typeof useHits>; onGo: (destination: Destination) => void };

const list = new Intl.ListFormat(locale);

/** Says what was searched, and where else to look if nothing was found. */
export function SearchStatus({ text, found, onGo }: Props) {
  const isNothing = !found.isIdle && !found.isAsking && found.groups.length === 0;
  const named = (kinds: readonly Kind[]) => list.format(kinds.map((kind) => searchWords.kindsSearched[kind]));
  return (
    <div className="search-status">
      <p role="status" className="muted">
        {found.isIdle
          ? searchWords.start
          : found.isAsking
            ? searchWords.searching
            : isNothing && searchWords.nothing(text.trim())}{" "}
        {!found.isIdle && !found.isAsking && searchWords.searched(named(found.searched), found.searchedProjects)}
      </p>
      {found.failed.length > 0 && (
        <p role="alert" className="problem">
          {searchWords.failed(named(found.failed))}
        </p>
      )}
      {isNothing && (
        <ul>
          {found.sought.length > 1 && <li>{searchWords.elsewhere.fewerWords}</li>}
          <li>{searchWords.elsewhere.exact}</li>
          <li>
            {searchWords.elsewhere.removed}{" "}
            <button type="button" onClick={() => onGo({ to: "/history", search: {} })}>
              {searchWords.elsewhere.history}
            </button>
          </li>
          <li>
            <button type="button" onClick={() => onGo(toUsersNamed(found.sought))}>
              {searchWords.elsewhere.assignments}
            </button>
          </li>
        </ul>
      )}
    </div>
  );
}

/** The table of the assignments whose users have every word in their names. */
function toUsersNamed(names: readonly string[]): Destination {
  return { to: "/", search: { filters: writtenFilters(names.map(quickSearchFor)) } };
}
