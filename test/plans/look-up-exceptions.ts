import type { Exception } from "./exceptions.ts";

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
