import { TextFilterMethod } from "@authorization-service/client";

// Requests to the look-ups of people, projects and organizations, which take the same filters.

export const rowsOfPage = 50;

/** Asks for one thing. */
export function withId(id: string) {
  return { filters: [{ filter: { case: "ids" as const, value: { ids: [id] } } }], pagination: { skipTotal: true } };
}

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

const method = TextFilterMethod.CONTAINS_IGNORE_CASE;
/** Leaves room for other filters: the service takes 50. */
const mostWords = 20;

/** Filters for names that contain every word of the text, in any order. */
export function containingWords(text: string) {
  const words = text.split(/\s+/).filter(Boolean).slice(0, mostWords);
  return words.map((word) => ({ filter: { case: "name" as const, value: { text: word, method } } }));
}

export function pageOf({ page = "" }: { readonly page?: string }) {
  return { limit: rowsOfPage, pageToken: page };
}
