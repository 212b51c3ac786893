import { RefreshCw } from "lucide-react";
import { partWords } from "../words/parts.ts";

type Props = { query: { readonly isFetching: boolean; readonly refetch: () => Promise<unknown> } };

/** A button to reload. It stays a button while it loads, so it keeps the focus. */
export function RefreshButton({ query: { isFetching, refetch } }: Props) {
  return (
    <button type="button" title={partWords.refresh} onClick={() => void refetch()} aria-disabled={isFetching}>
      <RefreshCw aria-hidden="true" />
      <span className="tool-label">{isFetching ? partWords.refreshing : partWords.refresh}</span>
    </button>
  );
}
