import { ListFilter } from "lucide-react";
import { facetWords } from "../words/facets.ts";

/** Shows or hides the counts to filter by. */
export function FacetsButton({ isShown, onToggle }: { isShown: boolean; onToggle: () => void }) {
  return (
    <button type="button" aria-expanded={isShown} title={facetWords.show} onClick={onToggle}>
      <ListFilter aria-hidden="true" />
      <span className="tool-label">{facetWords.show}</span>
    </button>
  );
}
