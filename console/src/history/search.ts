import { isText } from "../assignments/search.ts";

/** The history's parameters in the address. By default, it shows everything the caller sees, newest first. */
export type HistorySearch = {
  /** The id of the user whose roles changed. */
  readonly user?: string;
  /** The id of the acting user; empty for the command line. */
  readonly actor?: string;
  readonly project?: string;
  readonly organization?: string;
  /** The id of one assignment. */
  readonly assignment?: string;
  readonly types?: readonly EventType[];
  /** A range of days in the reader's time zone, relative to today. */
  readonly when?: Preset;
  /** A custom range in UTC, from the first time, inclusive, to the second, exclusive. */
  readonly from?: string;
  readonly to?: string;
  /** Filters in the address that can't be read. */
  readonly unreadable?: readonly string[];
  /** The page token of the page, and how many rows come before it. */
  readonly page?: string;
  readonly skipped?: number;
};

/** The service's types of events, without their `user.grant.`, in words. */
export const eventNames = {
  added: "Assigned",
  changed: "Roles changed",
  deactivated: "Deactivated",
  reactivated: "Activated again",
  removed: "Removed",
  "cascade.changed": "Roles lost by a change of the directory",
  "cascade.removed": "Removed by a change of the directory",
} as const;

export type EventType = keyof typeof eventNames;

export const presetNames = {
  today: "Today",
  yesterday: "Yesterday",
  "last-7-days": "Last 7 days",
  "this-week": "This week",
  "last-week": "Last week",
  "last-30-days": "Last 30 days",
} as const;

export type Preset = keyof typeof presetNames;

/**
 * Reads the parameters of an address. Filters that can't be read are reported, because ignoring them would list too
 * much.
 */
export function readHistorySearch(search: Record<string, unknown>): HistorySearch {
  const { types, when, page, skipped } = search;
  const read: HistorySearch = {
    ...idOf("user", search),
    ...(search.actor === "" ? { actor: "" } : idOf("actor", search)),
    ...idOf("project", search),
    ...idOf("organization", search),
    ...idOf("assignment", search),
    ...(isListOfTypes(types) && types.length > 0 && { types }),
    ...(isKeyOf(presetNames, when) ? { when } : { ...momentOf("from", search), ...momentOf("to", search) }),
  };
  const unreadable = filterNames.filter(
    (name) => search[name] !== undefined && !(name in read) && !isMoot(name, search),
  );
  return {
    ...read,
    ...(unreadable.length > 0 && { unreadable }),
    ...(isText(page) && { page: String(page) }),
    ...(isText(page) && Number.isSafeInteger(skipped) && { skipped: skipped as number }),
  };
}

const filterNames = ["user", "actor", "project", "organization", "assignment", "types", "when", "from", "to"] as const;

/** No types means all types, and days replace times. */
function isMoot(name: string, { types, when }: Record<string, unknown>): boolean {
  if (name === "types") return Array.isArray(types) && types.length === 0;
  return (name === "from" || name === "to") && isKeyOf(presetNames, when);
}

/** Filters to set; undefined removes a filter. */
export type ChangedFilters = { readonly [Name in keyof HistorySearch]: HistorySearch[Name] | undefined };

/** The parameters with another filter, on the first page. */
export function withFilter(search: HistorySearch, changed: ChangedFilters): HistorySearch {
  const { page: _, skipped: __, ...rest } = search;
  return readHistorySearch({ ...rest, ...changed });
}

/** Whether there are any filters. */
export function isFiltered({ page: _, skipped: __, ...filters }: HistorySearch): boolean {
  return Object.keys(filters).length > 0;
}

function idOf(name: keyof HistorySearch, { [name]: id }: Record<string, unknown>) {
  return isText(id) ? { [name]: String(id) } : {};
}

function isListOfTypes(types: unknown): types is EventType[] {
  return Array.isArray(types) && types.every((type) => isKeyOf(eventNames, type));
}

function momentOf(name: "from" | "to", { [name]: moment }: Record<string, unknown>) {
  return typeof moment === "string" && !Number.isNaN(Date.parse(moment))
    ? { [name]: new Date(moment).toISOString() }
    : {};
}

function isKeyOf<T extends object>(names: T, key: unknown): key is keyof T & string {
  return typeof key === "string" && Object.hasOwn(names, key);
}
