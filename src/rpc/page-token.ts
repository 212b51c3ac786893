import { createHash } from "node:crypto";
import { Refusal } from "../authorization/refusal.ts";

/**
 * Where a page ended, as clients carry it to the next request: what is sorted by and what breaks ties, and the list it
 * belongs to. It holds no rights and nothing is found by it but a position, so there is nothing to gain by changing it.
 */
export type PageToken = { readonly list: string; readonly position: readonly string[] };

/** Tells one list from another: whatever decides which rows it has, and in which order. */
export function listId(...parts: readonly (string | boolean | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) {
    const bytes = part instanceof Uint8Array ? part : Buffer.from(String(part));
    hash.update(`${bytes.length}:`).update(bytes);
  }
  return hash.digest("base64url").slice(0, 16);
}

export function writePageToken({ list, position }: PageToken): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString("base64url");
}

/**
 * The position in a token of the same list, and undefined when there is no token. Throws PAGE_TOKEN_INVALID.
 *
 * @param list tells the list; asked only when there is a token
 * @param read makes a position of its parts; undefined when they are none
 */
export function readPageToken<Position>(
  token: string,
  list: () => string,
  read: (parts: string[]) => Position | undefined,
): Position | undefined {
  if (token === "") return undefined;
  const [ofList, ...parts] = partsOf(token) ?? [];
  const position = ofList === list() ? read(parts) : undefined;
  if (position !== undefined) return position;
  throw new Refusal(
    "PAGE_TOKEN_INVALID",
    "pagination.pageToken: must come from a page of the same list; send the same filters, sorting column and direction as for that page, or no page token",
  );
}

function partsOf(token: string): string[] | undefined {
  try {
    const bytes = Buffer.from(token, "base64url");
    // Node skips what is no base64.
    if (bytes.toString("base64url") !== token) return undefined;
    const parts: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return Array.isArray(parts) && parts.every(isStorable) ? parts : undefined;
  } catch {
    return undefined;
  }
}

/** Postgres would refuse to compare with anything else. */
function isStorable(part: unknown): part is string {
  return typeof part === "string" && part.isWellFormed() && !part.includes("\0");
}
