import { type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import type { PaginationRequest, PaginationResponse } from "../../gen/service/filter/v2/filter_pb.ts";
import { Refusal } from "../authorization/refusal.ts";
import { readPageToken, writePageToken } from "./page-token.ts";

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
      nextPageToken: next === undefined ? "" : writePageToken({ list: list(), position: write(next) }),
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
