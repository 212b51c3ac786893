import { createHash } from "node:crypto";
import { type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import type { PaginationRequest, PaginationResponse } from "../../../gen/service/filter/v2/filter_pb.ts";
import type { Instant } from "../../authorization/authorization.ts";
import { isInstant } from "../../authorization/instant.ts";
import type { Page } from "../../authorization/list.ts";
import { Refusal } from "../../authorization/refusal.ts";
import { isStorable } from "../../authorization/storable.ts";

/** The default and the maximum number of rows in a page. */
export type PageLimits = { readonly defaultLimit: number; readonly maximumLimit: number };

/** More rows keep Postgres, and after it Node, busy for tens of milliseconds. A caller gets all of them as fast one by one. */
export const mostRows = 200;

/** Reads each field of a position from its part of a token, in their order. Undefined if it could not have been written. */
export type Positions<Position> = {
  readonly [Field in keyof Position]-?: (part: string) => Position[Field] | undefined;
};

/** For a field that may be any text. */
export const asWritten = (part: string) => part;

/**
 * The requested page of a list, and the pagination of the answer. Throws LIMIT_EXCEEDED and PAGE_TOKEN_INVALID.
 *
 * @param list identifies the list, by `listId`
 */
export function askedPage<Position extends object>(
  pagination: PaginationRequest | undefined,
  limits: PageLimits,
  list: () => string,
  positions: Positions<Position>,
) {
  const limit = requireLimit(pagination?.limit ?? 0, limits);
  return {
    part: {
      after: readPageToken(pagination?.pageToken ?? "", list, positions),
      offset: pagination?.offset ?? 0n,
      limit,
      skipTotal: pagination?.skipTotal ?? false,
    },
    tell: ({ total, next }: Pick<Page<unknown, Position>, "total" | "next">): PaginationResponse => ({
      $typeName: "service.filter.v2.PaginationResponse",
      totalResult: total,
      appliedLimit: limit,
      nextPageToken:
        next === undefined ? "" : tokenOf([list(), ...fieldsOf(positions).map((name) => String(next[name]))]),
    }),
  };
}

/** Filters as parts of a list's id. They are sorted, because their order makes no difference to what they match. */
export function bytesOf<Filter extends DescMessage>(
  schema: Filter,
  filters: readonly MessageShape<Filter>[],
): Uint8Array[] {
  return filters.map((filter) => toBinary(schema, filter)).sort(Buffer.compare);
}

/** @param name the field, for people */
export function requireLimit(
  asked: number,
  { defaultLimit, maximumLimit }: PageLimits,
  name = "pagination.limit",
): number {
  if (asked > maximumLimit) {
    throw new Refusal("LIMIT_EXCEEDED", `${name}: must be at most ${maximumLimit}, got ${asked}`, {
      limit: String(asked),
      maximum: String(maximumLimit),
    });
  }
  return asked === 0 ? defaultLimit : asked;
}

/** Identifies a list by everything that decides which rows it has, and in which order. */
export function listId(...parts: readonly (string | boolean | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) {
    const bytes = part instanceof Uint8Array ? part : Buffer.from(String(part));
    hash.update(`${bytes.length}:`).update(bytes);
  }
  return hash.digest("base64url").slice(0, 16);
}

/**
 * The position where a page ended, for the client's next request: the list, the value sorted by, and the value that
 * breaks ties. It holds no rights and only leads to a position, so there is nothing to gain by changing it.
 */
export function tokenOf(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/**
 * Reads the position from a token of the same list. Undefined if there is no token. Throws PAGE_TOKEN_INVALID.
 *
 * @param list identifies the list; called only if there is a token
 */
function readPageToken<Position extends object>(
  token: string,
  list: () => string,
  positions: Positions<Position>,
): Position | undefined {
  if (token === "") return undefined;
  const [ofList, ...parts] = partsOf(token) ?? [];
  const fields = fieldsOf(positions);
  const values = fields.map((name, index) => positions[name](parts[index] ?? ""));
  if (ofList === list() && parts.length === fields.length && !values.includes(undefined))
    return Object.fromEntries(fields.map((name, index) => [name, values[index]])) as Position;
  throw new Refusal(
    "PAGE_TOKEN_INVALID",
    "pagination.pageToken: must come from a page of the same list; send the same filters, sorting column and direction as for that page, or no page token",
  );
}

function fieldsOf<Position>(positions: Positions<Position>): (keyof Position)[] {
  return Object.keys(positions) as (keyof Position)[];
}

/** The parts of a token. Undefined if it has none that could have been written. */
export function partsOf(token: string): string[] | undefined {
  try {
    const bytes = Buffer.from(token, "base64url");
    // Node ignores characters that are not base64.
    if (bytes.toString("base64url") !== token) return undefined;
    const parts: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return Array.isArray(parts) && parts.every(isStorable) ? parts : undefined;
  } catch {
    return undefined;
  }
}

/** Reads an instant that was written with toString. Undefined if it isn't one. */
export function readInstant(text: string): Instant | undefined {
  const instant = /^-?\d{1,18}$/.test(text) ? BigInt(text) : undefined;
  return instant !== undefined && isInstant(instant) ? instant : undefined;
}
