import { type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import type { PaginationRequest, PaginationResponse } from "../../gen/service/filter/v2/filter_pb.ts";
import type { LookUpPage, LookUpQuery, NamePosition } from "../directory/look-ups.ts";
import { type PageLimits, requireLimit } from "./page-limits.ts";
import { listId, readPageToken, writePageToken } from "./page-token.ts";

/** What look-ups have in common on the wire: which page is asked for, and which was given. */
export type AskedPage = {
  /** All of a query but its filters. */
  readonly query: Omit<LookUpQuery<never>, "filters">;
  /** What the answer says of the page. */
  tell(page: Pick<LookUpPage<unknown>, "total" | "next">): Omit<PaginationResponse, "$typeName">;
};

/**
 * Throws LIMIT_EXCEEDED and PAGE_TOKEN_INVALID.
 *
 * @param name tells the list from those of other look-ups
 */
export function askedPage<Filter extends DescMessage>(
  name: string,
  schema: Filter,
  { pagination, filters }: { pagination?: PaginationRequest | undefined; filters: readonly MessageShape<Filter>[] },
  limits: PageLimits,
): AskedPage {
  const limit = requireLimit(pagination?.limit ?? 0, limits);
  // In one order, because the order of filters makes no difference to what they match.
  const list = () => listId(name, ...filters.map((filter) => toBinary(schema, filter)).sort(Buffer.compare));
  return {
    query: {
      after: readPageToken(pagination?.pageToken ?? "", list, toPosition),
      offset: pagination?.offset ?? 0n,
      limit,
      skipTotal: pagination?.skipTotal ?? false,
    },
    tell: ({ total, next }) => ({
      totalResult: total,
      appliedLimit: limit,
      nextPageToken: next === undefined ? "" : writePageToken({ list: list(), position: fromPosition(next) }),
    }),
  };
}

function fromPosition({ name, id, organizationId }: NamePosition): string[] {
  return [name, id, organizationId];
}

function toPosition([name, id, organizationId, ...more]: string[]): NamePosition | undefined {
  if (name === undefined || id === undefined || organizationId === undefined || more.length > 0) return undefined;
  return { name, id, organizationId };
}
