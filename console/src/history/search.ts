/** What the address says of the history. */
export type HistorySearch = Record<string, never>;

export function readHistorySearch(_search: Record<string, unknown>): HistorySearch {
  return {};
}
