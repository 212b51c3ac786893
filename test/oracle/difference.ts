import { isDeepStrictEqual } from "node:util";

/** What the service answered and what the model would have; the error of a case that fails. */
export class Difference extends Error {
  override readonly name = "Difference";

  constructor(what: string, details: object) {
    super(`${what}\n${print(details)}`);
  }
}

/** Where two values differ first, and what is there on either side. */
export function firstDifference(observed: unknown, expected: unknown, path = "$"): object {
  if (typeof observed !== "object" || typeof expected !== "object" || observed === null || expected === null) {
    return { path, observed, expected };
  }
  const [one, other] = [observed, expected] as Record<string, unknown>[];
  for (const key of new Set([...Object.keys(observed), ...Object.keys(expected)])) {
    if (!isDeepStrictEqual(one?.[key], other?.[key]))
      return firstDifference(one?.[key], other?.[key], `${path}.${key}`);
  }
  return { path, observed, expected };
}

/** JSON for people: bigints and sets as what they hold. */
export function print(value: unknown): string {
  const plain = (_: string, inner: unknown) => {
    if (typeof inner === "bigint") return String(inner);
    return inner instanceof Set ? [...inner] : inner;
  };
  return JSON.stringify(value, plain, 2);
}
