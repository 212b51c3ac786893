import type { SortColumn } from "../../src/authorization/list.ts";
import type { kinds } from "./callers.ts";

/** Lists that may examine more rows than their bound. */
export type Exception = {
  /** The names of the filters, as test/plans/filters.ts has them. */
  readonly filters: readonly string[];
  /** Undefined for all. */
  readonly callers?: readonly (typeof kinds)[number][];
  /** Undefined for all. */
  readonly sorts?: readonly SortColumn[];
  readonly why: string;
  /** What the worst of them costs in a world of one million, when it was measured. */
  readonly rows: number;
  readonly milliseconds: number;
  /** Two plans seem about as good to Postgres. Which one it takes depends on the rows that ANALYZE happens to look at. */
  readonly sometimes?: true;
};

const bitmaps =
  "Two bitmaps are laid over each other, of what the filter matches and of what the caller holds: many entries of indexes, few rows.";
const wholeIndex =
  "The caller's tenth of everything lies all over the table, so that an index of everything is read instead of it.";
const rolesOfAll = "The key is in every project, and all who hold it are read for the total, whoever asks.";

export const exceptions: readonly Exception[] = [
  {
    filters: ["users of the largest organization", "project name contains"],
    callers: ["project", "grant"],
    why: bitmaps,
    rows: 107_016,
    milliseconds: 29,
  },
  {
    filters: [
      "users of a small organization",
      "project name equals",
      "organization name equals",
      "organization name contains",
      "any of user and small project",
    ],
    callers: ["project", "grant"],
    why: bitmaps,
    rows: 6_323,
    milliseconds: 1.1,
  },
  {
    filters: [
      "display name contains",
      "display name contains, any case",
      "display name ends",
      "display name ends, any case",
    ],
    callers: ["project", "grant"],
    why: bitmaps,
    rows: 6_164,
    milliseconds: 9.2,
    sometimes: true,
  },
  {
    filters: ["display name contains, many"],
    callers: ["instance", "largest"],
    why: "Half of all users match a text of two letters, which no trigram helps to find: all users and all rows are read once.",
    rows: 1_200_826,
    milliseconds: 924,
  },
  { filters: ["common role"], callers: ["instance", "largest"], why: rolesOfAll, rows: 1_988_002, milliseconds: 2_405 },
  {
    filters: ["largest organization and common role"],
    callers: ["instance"],
    why: rolesOfAll,
    rows: 1_065_216,
    milliseconds: 904,
  },
  { filters: ["project grant"], callers: ["largest"], why: bitmaps, rows: 106_917, milliseconds: 18 },
  {
    filters: ["role contains"],
    callers: ["project", "grant"],
    why: "All who hold the roles are found first, a few times as many as the caller sees.",
    rows: 29_575,
    milliseconds: 105,
  },
  {
    filters: ["2 common roles"],
    callers: ["largest", "fifty", "project", "grant"],
    why: rolesOfAll,
    rows: 1_894_825,
    milliseconds: 3_763,
  },
  {
    filters: ["any of user and common role"],
    callers: ["instance", "largest"],
    why: rolesOfAll,
    rows: 1_908_920,
    milliseconds: 4_475,
  },
  {
    filters: ["created on a day", "changed on a day"],
    callers: ["project", "grant", "own"],
    why: bitmaps,
    rows: 7_500,
    milliseconds: 1,
  },
  {
    filters: ["changed before half of the time"],
    callers: ["largest", "fifty", "project", "grant"],
    why: "The index of change dates is read from the first to the last that matches, when that is no dearer than looking up what the caller sees one by one.",
    rows: 1_372_000,
    milliseconds: 500,
  },
  {
    filters: [
      "not rare role",
      "not common role",
      "not login name equals",
      "neither rare role nor login name",
      "any of user and not rare role",
      "any of rare role and not common role",
      "not both common role and largest organization",
    ],
    callers: ["largest"],
    why: wholeIndex,
    rows: 2_458_988,
    milliseconds: 2_894,
  },
  {
    filters: ["any of two, and any of two others"],
    callers: ["instance", "largest"],
    why: "Each of the two is found by itself, and one holds the common role.",
    rows: 1_458_281,
    milliseconds: 2_167,
  },
  {
    filters: ["largest organization and changed on a day"],
    callers: ["instance"],
    why: "The organization's rows are read from an index and joined with those changed on the day. Postgres expects that to be cheaper than looking up each of the latter.",
    rows: 102_158,
    milliseconds: 18,
    sometimes: true,
  },
  {
    filters: ["active", "large project and active"],
    callers: ["instance", "project"],
    sorts: ["projectName", "organizationName"],
    why: "Up to 5,000 matches are read and sorted, and the name of each is looked up.",
    rows: 10_236,
    milliseconds: 43,
  },
];

/** Look-ups that may examine more rows than their bound. */
export const lookUpExceptions: readonly Exception[] = [
  {
    filters: ["users without the total", "users without the total, from the middle"],
    callers: ["fifty", "project", "grant"],
    why: "Users are checked in the order of names until a quarter of what collecting would read is spent. Then all users that the caller sees are collected, each looked up once more.",
    rows: 41_884,
    milliseconds: 110,
  },
  {
    filters: ["administrators with a rare role"],
    callers: ["fifty"],
    why: "A role is looked for among all entries in the caller's organizations.",
    rows: 400,
    milliseconds: 10,
  },
];
