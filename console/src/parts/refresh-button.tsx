import { RefreshCw } from "lucide-react";
import { partWords } from "../words/parts.ts";

type Props = {
  query: { readonly isFetching: boolean; readonly refetch: () => Promise<unknown> };
  /** How many assignments have changed since they were loaded. */
  news?: number;
};

/** A button to reload, which says if there is something new. It stays a button while it loads, so it keeps the focus. */
export function RefreshButton({ query: { isFetching, refetch }, news = 0 }: Props) {
  return (
    <>
      <span className="visually-hidden" role="status">
        {news > 0 && partWords.hasNews}
      </span>
      <button
        type="button"
        className={news > 0 ? "has-news" : undefined}
        title={partWords.refresh}
        onClick={() => void refetch()}
        aria-disabled={isFetching}
      >
        <RefreshCw aria-hidden="true" />
        <span className="tool-label">
          {isFetching ? partWords.refreshing : news > 0 ? partWords.news(news) : partWords.refresh}
        </span>
      </button>
    </>
  );
}
