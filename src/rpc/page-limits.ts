import { Refusal } from "../authorization/refusal.ts";

/** How many rows a page has when the request does not say, and how many it may ask for. */
export type PageLimits = { readonly defaultLimit: number; readonly maximumLimit: number };

/** The limit to use. Throws LIMIT_EXCEEDED. */
export function requireLimit(asked: number, { defaultLimit, maximumLimit }: PageLimits): number {
  if (asked > maximumLimit) {
    throw new Refusal("LIMIT_EXCEEDED", `pagination.limit: at most ${maximumLimit} rows can be asked for`, {
      limit: String(asked),
      maximum: String(maximumLimit),
    });
  }
  return asked === 0 ? defaultLimit : asked;
}
