import { isText } from "../assignments/search.ts";
import { historyWords } from "../words/history.ts";
import { readPosition } from "./entry.ts";

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
  /** A range of days in the reader's time zone, relative to today. */
  readonly when?: Preset;
  /** A custom range in UTC, from the first time, inclusive, to the second, exclusive. */
  readonly from?: string;
  readonly to?: string;
  /** Filters in the address that can't be read. */
  readonly unreadable?: readonly string[];
  /** Where the previous page ended (see entry.ts), and how many changes come before this one. */
  readonly page?: string;
  readonly skipped?: number;
};

/** The service's types of events, without their `user.grant.`. */
export type EventType = keyof typeof historyWords.types;
/** The service's kinds of things in the directory. */
export type ThingKind = keyof typeof historyWords.kinds;
export type HistoryKind = "assignments" | "directory";
export type Preset = keyof typeof historyWords.presets;

/**
 * Reads the parameters of an address. Filters that can't be read are reported, because ignoring them would list too
 * much.
 */
export function readHistorySearch(search: Record<string, unknown>): HistorySearch {
  const { kind, types, kinds, when, page, skipped } = search;
  const read: HistorySearch = {
    ...(isKeyOf(historyWords.ofKind, kind) && { kind }),
    ...idOf("user", search),
    ...(search.actor === "" ? { actor: "" } : idOf("actor", search)),
    ...idOf("project", search),
    ...idOf("organization", search),
    ...idOf("assignment", search),
    ...idOf("role", search),
    ...(isListOf(historyWords.types, types) && types.length > 0 && { types }),
    ...(isListOf(historyWords.kinds, kinds) && kinds.length > 0 && { kinds }),
    ...(isText(page) && readPosition(String(page)) && { page: String(page) }),
    ...(isKeyOf(historyWords.presets, when) ? { when } : { ...momentOf("from", search), ...momentOf("to", search) }),
  };
  const unreadable = filterNames.filter(
    (name) => search[name] !== undefined && !(name in read) && !isMoot(name, search),
  );
  return {
    ...read,
    ...(unreadable.length > 0 && { unreadable }),
    ...(read.page !== undefined && Number.isSafeInteger(skipped) && { skipped: skipped as number }),
  };
}

const filterNames = [
  "kind",
  "user",
  "actor",
  "project",
  "organization",
  "assignment",
  "role",
  "types",
  "kinds",
  "when",
  "from",
  "to",
  "page",
] as const;

/** No types means all types, and days replace times. */
function isMoot(name: string, { [name]: value, when }: Record<string, unknown>): boolean {
  if (name === "types" || name === "kinds") return Array.isArray(value) && value.length === 0;
  return (name === "from" || name === "to") && isKeyOf(historyWords.presets, when);
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

function isListOf<T extends object>(names: T, list: unknown): list is (keyof T & string)[] {
  return Array.isArray(list) && new Set(list).size === list.length && list.every((name) => isKeyOf(names, name));
}

function momentOf(name: "from" | "to", { [name]: moment }: Record<string, unknown>) {
  return typeof moment === "string" && !Number.isNaN(Date.parse(moment))
    ? { [name]: new Date(moment).toISOString() }
    : {};
}

function isKeyOf<T extends object>(names: T, key: unknown): key is keyof T & string {
  return typeof key === "string" && Object.hasOwn(names, key);
}
