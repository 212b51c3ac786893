import { useId } from "react";
import { useTypedSearch } from "../filters/quick-search.tsx";
import { longestText } from "../pickers/found.ts";
import { pageWords } from "../words/pages.ts";

/** A field that narrows a list down to names with all of its words. The list follows at each pause in typing. */
export function NameSearch({ name, onSearch }: { name: string; onSearch: (name: string) => void }) {
  const field = useId();
  const { typed, setTyped } = useTypedSearch(name, onSearch);
  return (
    <div className="field">
      <label htmlFor={field}>{pageWords.searchByName}</label>
      <input
        id={field}
        type="search"
        value={typed}
        maxLength={longestText}
        onChange={({ target }) => setTyped(target.value)}
      />
    </div>
  );
}
