import { longestText } from "../pickers/found.ts";

// Requests to the look-ups of people, projects and organizations, which take the same filters.

export const rowsOfPage = 50;

/** The most ids that a request takes. */
const mostIds = 1_000;

/** Asks for several things. A thing that the caller may not see is missing in the answer. */
export function withIds(ids: readonly string[]) {
  const value = { ids: ids.slice(0, mostIds) };
  return {
    filters: [{ filter: { case: "ids" as const, value } }],
    pagination: { limit: value.ids.length, skipTotal: true },
  };
}

export function withId(id: string) {
  return withIds([id]);
}

/** Filters for names with words that begin like those of the text, in any order. */
export function withWords(text: string) {
  const searched = Array.from(text.trim()).slice(0, longestText).join("");
  return searched === "" ? [] : [{ filter: { case: "search" as const, value: { text: searched } } }];
}

export function pageOf({ page = "" }: { readonly page?: string }) {
  return { limit: rowsOfPage, pageToken: page };
}
