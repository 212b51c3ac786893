import { createHash } from "node:crypto";
import { type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import type { PaginationRequest, PaginationResponse } from "../../../gen/service/filter/v2/filter_pb.ts";
import { Refusal } from "../../authorization/refusal.ts";

/** How many rows a page has when the request does not say, and how many it may ask for. */
export type PageLimits = { readonly defaultLimit: number; readonly maximumLimit: number };

/** How a list writes the position where a page ends into a token, and reads it; undefined for what is none. */
export type Positions<Position> = {
  write(position: Position): string[];
  read(parts: string[]): Position | undefined;
};

/**
 * Which page of a list is asked for, and what the answer says of the page that was found. Throws LIMIT_EXCEEDED and
 * PAGE_TOKEN_INVALID.
 *
 * @param list tells the list from others, by `listId`
 */
export function askedPage<Position>(
  pagination: PaginationRequest | undefined,
  limits: PageLimits,
  list: () => string,
  { write, read }: Positions<Position>,
) {
  const limit = requireLimit(pagination?.limit ?? 0, limits);
  return {
    part: {
      after: readPageToken(pagination?.pageToken ?? "", list, read),
      offset: pagination?.offset ?? 0n,
      limit,
      skipTotal: pagination?.skipTotal ?? false,
    },
    /** @param next where the page ends; undefined when nothing comes behind it */
    tell: (total: number, next: Position | undefined): PaginationResponse => ({
      $typeName: "service.filter.v2.PaginationResponse",
      totalResult: total,
      appliedLimit: limit,
      nextPageToken: next === undefined ? "" : writePageToken(list(), write(next)),
    }),
  };
}

/** Filters as parts of a list's id: in one order, because theirs makes no difference to what they match. */
export function bytesOf<Filter extends DescMessage>(
  schema: Filter,
  filters: readonly MessageShape<Filter>[],
): Uint8Array[] {
  return filters.map((filter) => toBinary(schema, filter)).sort(Buffer.compare);
}

function requireLimit(asked: number, { defaultLimit, maximumLimit }: PageLimits): number {
  if (asked > maximumLimit) {
    throw new Refusal("LIMIT_EXCEEDED", `pagination.limit: must be at most ${maximumLimit}, got ${asked}`, {
      limit: String(asked),
      maximum: String(maximumLimit),
    });
  }
  return asked === 0 ? defaultLimit : asked;
}

/** Tells one list from another: whatever decides which rows it has, and in which order. */
export function listId(...parts: readonly (string | boolean | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) {
    const bytes = part instanceof Uint8Array ? part : Buffer.from(String(part));
    hash.update(`${bytes.length}:`).update(bytes);
  }
  return hash.digest("base64url").slice(0, 16);
}

/**
 * Where a page ended, as clients carry it to the next request: the list it belongs to, what is sorted by and what breaks
 * ties. It holds no rights and nothing is found by it but a position, so there is nothing to gain by changing it.
 */
function writePageToken(list: string, position: readonly string[]): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString("base64url");
}

/**
 * The position in a token of the same list, and undefined when there is no token. Throws PAGE_TOKEN_INVALID.
 *
 * @param list tells the list; asked only when there is a token
 * @param read makes a position of its parts; undefined when they are none
 */
function readPageToken<Position>(
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
