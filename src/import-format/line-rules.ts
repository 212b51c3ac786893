import { isInstant } from "../authorization/instant.ts";
import { readTime } from "./read-time.ts";

/** Says what is wrong with a value, or nothing. */
export type Rule = (value: unknown) => string | undefined;

export const text: Rule = (value) =>
  typeof value === "string" && !value.includes("\u0000") && value.isWellFormed() ? undefined : "must be a text";

/** A text of a number of characters. */
export function textOf(least: number, most: number): Rule {
  const length = least === 0 ? `at most ${most}` : `${least} to ${most}`;
  return (value) => {
    const wrong = text(value);
    if (wrong !== undefined) return wrong;
    const characters = [...(value as string)].length;
    return characters >= least && characters <= most ? undefined : `must have ${length} characters`;
  };
}

const characters = textOf(1, 200);

/** An id or a role key, as everywhere. */
export const id: Rule = (value) =>
  characters(value) ?? (Buffer.byteLength(value as string) <= 600 ? undefined : "must have at most 600 bytes in UTF-8");

export const time: Rule = (value) => {
  if (typeof value !== "string" || !/^\d{4}(-\d\d){2}T\d\d(:\d\d){2}(\.\d{1,6})?Z$/.test(value) || !isDay(value)) {
    return "must be a time such as 2026-01-31T08:00:00Z, in whole microseconds";
  }
  const instant = readTime(value);
  return instant !== undefined && isInstant(instant) ? undefined : "must be a time in the years 1 to 9999";
};

/** Postgres and JavaScript know the same days. */
function isDay(value: string): boolean {
  const day = value.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** Later sequences of the same month need room. */
export const sequence: Rule = (value) =>
  typeof value === "string" && /^(19[7-9]|[2-9]\d\d)\d(0[1-9]|1[0-2])[0-8]\d{9}$/.test(value)
    ? undefined
    : "must be a year from 1970 on, a month and ten more digits up to 8999999999, in quotes";

/**
 * The highest sequence at some time: that of an event; once all events are archived, the one before the first sequence of
 * a month; 0 if there never was an event.
 */
export const lastSequence: Rule = (value) =>
  sequence(value) === undefined ||
  value === "0" ||
  (typeof value === "string" && /^(19[7-9]|[2-9]\d\d)\d(0\d|1[01])9{10}$/.test(value))
    ? undefined
    : "must be 0, a sequence of an event, or the last one before a month, in quotes";

export const uuid: Rule = (value) =>
  typeof value === "string" && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value)
    ? undefined
    : "must be a UUID in lower case";

/** As assignments and grants have them. */
export const roleKeys: Rule = (value) => {
  if (!Array.isArray(value)) return "must be a list";
  if (value.length > 1_000) return "must have at most 1000 items";
  const wrong = value.map(id).find((one) => one !== undefined);
  if (wrong !== undefined) return `must be a list of role keys: each ${wrong}`;
  return isSorted(value) ? undefined : "must be sorted, without duplicates";
};

function isSorted(texts: readonly string[]): boolean {
  return texts.every((one, index) => index === 0 || byCodePoint(texts[index - 1] as string, one) < 0);
}

/** As Postgres sorts. */
export function byCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

export function orNull(rule: Rule): Rule {
  return (value) => (value === null ? undefined : rule(value));
}

export function oneOf(names: readonly string[]): Rule {
  return (value) => (names.some((name) => name === value) ? undefined : `must be one of ${names.join(", ")}`);
}

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Throws an error that says what is wrong with an object. Each rule's field must be there, and no others.
 *
 * @param mayLack fields that may be missing
 */
export function requireFields(
  what: string,
  value: unknown,
  rules: Readonly<Record<string, Rule>>,
  mayLack: readonly string[] = [],
): asserts value is Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${what} must be an object`);
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(rules, name));
  if (unknown !== undefined) throw new Error(`${what} has no field ${JSON.stringify(unknown)}`);
  for (const [name, rule] of Object.entries(rules)) {
    if (Object.hasOwn(value, name)) {
      const wrong = rule((value as Fields)[name]);
      if (wrong !== undefined) throw new Error(`${what}.${name} ${wrong}`);
    } else if (!mayLack.includes(name)) throw new Error(`${what}.${name} is missing`);
  }
}
