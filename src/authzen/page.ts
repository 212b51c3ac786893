import { Refusal } from "../authorization/refusal.ts";
import { listId, type PageLimits, partsOf, requireLimit, tokenOf } from "../rpc/messages/page.ts";
import { member } from "./entities.ts";
import { type JsonObject, malformed } from "./json-endpoint.ts";

/**
 * The requested page of a search: after which position, undefined for the first page, with which limit, and what tells the
 * answer's `page`. A token keeps the limit of the request that it comes from, and belongs to its question. Throws
 * LIMIT_EXCEEDED and PAGE_TOKEN_INVALID.
 *
 * @param question everything that decides what is found
 * @param count how many parts a position has
 */
export function askedPage(request: JsonObject, limits: PageLimits, question: string, count: number) {
  const page = member(request, "page", "object") ?? {};
  member(page, "properties", "object", "page");
  const asked = page.limit === undefined ? undefined : requireLimit(numberOf(page.limit), limits, "page.limit");
  const token = member(page, "token", "string", "page") ?? "";
  const id = listId("authzen", question);
  const tell = (limit: number) => (next: readonly string[] | undefined) => ({
    next_token: next === undefined ? "" : tokenOf([id, String(limit), ...next]),
  });
  if (token === "") {
    const limit = asked ?? limits.defaultLimit;
    return { after: undefined, limit, tell: tell(limit) };
  }
  const [ofQuestion, its, ...after] = partsOf(token) ?? [];
  const limit = Number(its);
  const isOfSearch = ofQuestion === id && after.length === count && limit === (asked ?? limit);
  if (isOfSearch && Number.isInteger(limit) && limit >= 1 && limit <= limits.maximumLimit)
    return { after, limit, tell: tell(limit) };
  const message = "page.token: must come from a page of the same search with the same limit; or send none";
  throw new Refusal("PAGE_TOKEN_INVALID", message);
}

function numberOf(limit: unknown): number {
  if (Number.isInteger(limit) && Number(limit) >= 0) return Number(limit);
  throw malformed("page.limit: must be a whole number, at least 0");
}
