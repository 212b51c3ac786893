type Props = { query: { readonly isFetching: boolean; readonly refetch: () => Promise<unknown> } };

/** Asks again. It stays a button while it does, so that it keeps the focus. */
export function RefreshButton({ query: { isFetching, refetch } }: Props) {
  return (
    <button type="button" onClick={() => void refetch()} aria-disabled={isFetching}>
      {isFetching ? "Refreshing…" : "Refresh"}
    </button>
  );
}
