type Props = { query: { readonly isFetching: boolean; readonly refetch: () => Promise<unknown> } };

/** A button to reload. It stays a button while it loads, so it keeps the focus. */
export function RefreshButton({ query: { isFetching, refetch } }: Props) {
  return (
    <button type="button" onClick={() => void refetch()} aria-disabled={isFetching}>
      {isFetching ? "Refreshing…" : "Refresh"}
    </button>
  );
}
