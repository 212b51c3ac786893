import type { ListAuthorizationEventsRequestSchema } from "@authorization-service/client";
import type { ListDirectoryEventsRequestSchema } from "@authorization-service/client/directory";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { isText } from "../assignments/search.ts";
import type { Range } from "../filters/moments.ts";
import { historyWords } from "../words/history.ts";
import { momentAfter, type Position, readPosition } from "./entry.ts";

/** The history's parameters in the address. By default, it shows everything the caller sees, newest first. */
export type HistorySearch = {
  /** Of one history alone. */
  readonly kind?: HistoryKind;
  /** The id of the user that the change is about. */
  readonly user?: string;
  /** The id of the acting user; empty for the command line. */
  readonly actor?: string;
  readonly project?: string;
  readonly organization?: string;
  /** The id of one assignment. */
  readonly assignment?: string;
  /** The key of one role of the project. */
  readonly role?: string;
  /** What happened to assignments. */
  readonly types?: readonly EventType[];
  /** What kinds of things of the directory changed. */
  readonly kinds?: readonly ThingKind[];
  /** A range in UTC, from the first time, inclusive, to the second, exclusive. */
  readonly from?: string;
  readonly to?: string;
  /** Parameters of the address that can't be read. */
  readonly unreadable?: readonly string[];
  /** Where the previous page ended (see entry.ts), and how many changes come before this one. */
  readonly page?: string;
  readonly skipped?: number;
};

/** The service's types of events, without their `user.grant.`. */
export type EventType = keyof typeof historyWords.types;
/** The service's kinds of things in the directory. */
export type ThingKind = keyof typeof historyWords.kinds;
export type HistoryKind = keyof typeof historyWords.ofKind;

type Reader = (value: unknown) => unknown;

/** How each filter is read, and the page. Undefined for what can't be read. */
const readers: { readonly [Name in Exclude<keyof HistorySearch, "unreadable" | "skipped">]: Reader } = {
  kind: oneOf(historyWords.ofKind),
  user: textIn,
  actor: (actor) => (actor === "" ? "" : textIn(actor)),
  project: textIn,
  organization: textIn,
  assignment: textIn,
  role: textIn,
  types: listOf(historyWords.types),
  kinds: listOf(historyWords.kinds),
  from: momentIn,
  to: momentIn,
  page: (page) => (readPosition(textIn(page) ?? "") ? textIn(page) : undefined),
};
const readerOf = new Map<string, Reader>(Object.entries(readers));

/**
 * Reads the parameters of an address. What can't be read, or isn't known, is reported, because ignoring it would list
 * too much.
 */
export function readHistorySearch({ skipped, ...search }: Record<string, unknown>): HistorySearch {
  const given = Object.entries(search)
    // No types means all types.
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => [name, readerOf.get(name)?.(value)] as const);
  const unreadable = given.filter(([, read]) => read === undefined).map(([name]) => name);
  const read: HistorySearch = Object.fromEntries(given.filter(([, read]) => read !== undefined));
  return {
    ...read,
    ...(unreadable.length > 0 && { unreadable }),
    ...(read.page !== undefined && Number.isSafeInteger(skipped) && { skipped: skipped as number }),
  };
}

/** Filters to set; undefined removes a filter. */
export type ChangedFilters = { readonly [Name in keyof HistorySearch]: HistorySearch[Name] | undefined };

/** The parameters with another filter, on the first page. */
export function withFilter(search: HistorySearch, changed: ChangedFilters): HistorySearch {
  return readHistorySearch({ ...search, page: undefined, skipped: undefined, ...changed });
}

/** Whether there are any filters. */
export function isFiltered({ page: _, skipped: __, ...filters }: HistorySearch): boolean {
  return Object.keys(filters).length > 0;
}

/** The range in an address. */
export function rangeOf({ from, to }: ChangedFilters): Range {
  return {
    ...(from !== undefined && { from: timestampFromDate(new Date(from)) }),
    ...(to !== undefined && { to: timestampFromDate(new Date(to)) }),
  };
}

function textIn(value: unknown): string | undefined {
  return isText(value) ? String(value) : undefined;
}

function oneOf(names: object): Reader {
  return (key) => (typeof key === "string" && Object.hasOwn(names, key) ? key : undefined);
}

function listOf(names: object): Reader {
  const isName = oneOf(names);
  return (list) => (Array.isArray(list) && new Set(list).size === list.length && list.every(isName) ? list : undefined);
}

function momentIn(moment: unknown): string | undefined {
  return typeof moment === "string" && !Number.isNaN(Date.parse(moment)) ? new Date(moment).toISOString() : undefined;
}

export type EventFilter = NonNullable<MessageInitShape<typeof ListAuthorizationEventsRequestSchema>["filters"]>[number];
type DirectoryFilter = NonNullable<MessageInitShape<typeof ListDirectoryEventsRequestSchema>["filters"]>[number];

/** The filters of both histories. Undefined for one that can't have what is looked for. */
export type HistoryFilters = {
  readonly assignments: EventFilter[] | undefined;
  readonly directory: DirectoryFilter[] | undefined;
};

/** @param behind where the previous page ended */
export function filtersOf(search: HistorySearch, behind?: Position): HistoryFilters {
  const { assignment, role, types, kinds, kind } = search;
  // Choosing what happened in one of the histories leaves the other one out.
  const isOfAssignments = kind !== "directory" && role === undefined && (types !== undefined || kinds === undefined);
  const isOfDirectory =
    kind !== "assignments" && assignment === undefined && (kinds !== undefined || types === undefined);
  const shared = [
    ...filter("userId", search.user, inMessage),
    ...filter("actorId", search.actor, inMessage),
    ...filter("projectId", search.project, inMessage),
    ...filter("organizationId", search.organization, inMessage),
    ...filter("time", search.from ?? search.to, () => rangeOf(search)),
    ...filter("time", behind, (position) => ({ to: momentAfter(position) })),
  ];
  const ofAssignments = [
    ...filter("authorizationId", assignment, inMessage),
    ...filter("types", types, (names) => ({ types: names.map((type) => `user.grant.${type}`) })),
  ];
  const ofDirectory = [
    ...filter("kinds", kinds, (names) => ({ kinds: [...names] })),
    ...filter("kinds", role, () => ({ kinds: ["projectRole"] })),
    ...filter("id", role, inMessage),
  ];
  return {
    assignments: isOfAssignments ? [...shared, ...ofAssignments] : undefined,
    directory: isOfDirectory ? [...shared, ...ofDirectory] : undefined,
  };
}

const inMessage = (id: string) => ({ id });

function filter<Case extends string, Given, Value>(
  name: Case,
  given: Given | undefined,
  messageOf: (given: Given) => Value,
) {
  return given === undefined ? [] : [{ filter: { case: name, value: messageOf(given) } }];
}
