import fc from "fast-check";
import { printDate } from "../oracle/model/dates.ts";
import {
  filterKinds as kinds,
  type Filter as ListFilter,
  type ListRequest,
  sortingColumns,
  textFields as texts,
} from "../oracle/model/list.ts";
import type { Authorization } from "../oracle/model/world.ts";
import type { ListModel } from "./list-model.ts";

export const methods = [
  "EQUALS",
  "EQUALS_IGNORE_CASE",
  "STARTS_WITH",
  "STARTS_WITH_IGNORE_CASE",
  "CONTAINS",
  "CONTAINS_IGNORE_CASE",
  "ENDS_WITH",
  "ENDS_WITH_IGNORE_CASE",
].map((name) => `TEXT_FILTER_METHOD_${name}`);

/** Every kind but those that nest others. */
export const filterKinds = Object.keys(kinds);

/** The filters that compare a text, and the field that holds it. */
export const textFields = fieldsAmong(texts);

/** The filters that hold several texts, and the field that does. */
export const listFields = fieldsAmong(["ids", "keys"]);

/** The filters that hold one id. */
export const idKinds = Object.keys(fieldsAmong(["id"]));

function fieldsAmong(fields: readonly string[]): Record<string, string> {
  const found = Object.entries(kinds).map(([kind, { field }]) => [kind, field] as const);
  return Object.fromEntries(found.filter(([, field]) => fields.includes(field)));
}

/** A caller and a request that often has an answer: most filters fit an authorization that the caller sees. */
export function anyListCall(model: ListModel, callers: readonly string[]) {
  const seenBy = new Map(callers.map((caller) => [caller, seen(model, caller)]));
  const everything = [...seenBy.values()].reduce((most, rows) => (rows.length > most.length ? rows : most));
  return fc
    .record({
      caller: fc.constantFrom(...callers),
      anchor: fc.nat(10_000),
      other: fc.nat(10_000),
      filters: fc.array(anyPlan(1), { maxLength: 3 }),
      sortingColumn: fc.constantFrom(undefined, ...Object.keys(sortingColumns)),
      asc: fc.boolean(),
      offset: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0) },
        { weight: 4, arbitrary: fc.nat(5) },
        { weight: 1, arbitrary: fc.nat(300) },
        { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String) },
      ),
      limit: fc.oneof({ weight: 8, arbitrary: fc.nat(20) }, { weight: 1, arbitrary: fc.nat(1_000) }),
    })
    .map(({ caller, anchor, other, filters, sortingColumn, asc, offset, limit }) => {
      const rows = seenBy.get(caller) ?? [];
      const near = (rows.length > 0 ? rows : everything)[anchor % (rows.length || everything.length)];
      const far = everything[other % everything.length];
      const request: ListRequest = {
        pagination: { offset, limit, asc },
        ...(sortingColumn === undefined ? {} : { sortingColumn }),
        filters: filters.map((plan) => filterFrom(plan, valuesOf(model, near), valuesOf(model, far))),
      };
      return { caller, request };
    });
}

const anySimplePlan = fc.record({
  kind: fc.constantFrom(...filterKinds),
  method: fc.constantFrom(...methods),
  /** Whether the filter is made from an authorization that has nothing to do with the others. */
  fromElsewhere: fc.integer({ min: 0, max: 5 }).map((roll) => roll === 0),
  from: fc.nat(300),
  length: fc.nat(4),
  swapCase: fc.boolean(),
});

type SimplePlan = typeof anySimplePlan extends fc.Arbitrary<infer Plan> ? Plan : never;
type Plan = SimplePlan | { anyOf: Plan[] } | { allOf: Plan[] } | { not: Plan };

/** Deep filters nest up to three levels. */
function anyPlan(depth: number): fc.Arbitrary<Plan> {
  if (depth === 3) return anySimplePlan;
  const below = anyPlan(depth + 1);
  return fc.oneof(
    { weight: 5, arbitrary: anySimplePlan },
    { weight: 2, arbitrary: fc.array(below, { maxLength: 3 }).map((anyOf) => ({ anyOf })) },
    { weight: 1, arbitrary: fc.array(below, { minLength: 1, maxLength: 3 }).map((allOf) => ({ allOf })) },
    { weight: 2, arbitrary: below.map((not) => ({ not })) },
  );
}

function seen(model: ListModel, caller: string): Authorization[] {
  const { authorizations } = model.list(caller, { pagination: { limit: 1_000 } });
  return authorizations.flatMap(({ id }) => model.world.authorizations.get(id) ?? []);
}

type Values = (kind: string) => string[];

/** What the filters of each kind compare in this authorization. */
function valuesOf({ world }: ListModel, row: Authorization | undefined): Values {
  return (kind) =>
    (row === undefined ? [] : (kinds[kind]?.of(row, world) ?? [])).map((value) =>
      typeof value === "bigint" ? printDate(value) : value,
    );
}

function filterFrom(plan: Plan, near: Values, far: Values): ListFilter {
  const nested = (plans: Plan[]) => ({ filters: plans.map((each) => filterFrom(each, near, far)) });
  if ("anyOf" in plan) return { anyOf: nested(plan.anyOf) };
  if ("allOf" in plan) return { allOf: nested(plan.allOf) };
  if ("not" in plan) return { not: filterFrom(plan.not, near, far) };
  const { kind, method, from } = plan;
  const values = (plan.fromElsewhere ? far : near)(kind);
  const value = values[from % values.length] ?? "";
  if (kind === "state") return { state: { state: value } };
  const ofTexts = listFields[kind];
  if (ofTexts !== undefined) return { [kind]: { [ofTexts]: textsAround(plan, value, far) } };
  if (kind === "created" || kind === "changed") return { [kind]: rangeAround(plan, value, far) };
  const field = textFields[kind];
  if (field === undefined) return { [kind]: { id: value } };
  const piece = pieceOf(plan, value);
  const mayBeEmpty = !kind.startsWith("user");
  return { [kind]: { [field]: piece === "" && !mayBeEmpty ? "ä" : piece, method } };
}

function textsAround({ kind, length, from }: SimplePlan, value: string, far: Values): string[] {
  const more = [far(kind)[0] ?? "none", "no such id", `${value} `];
  const texts = [value, ...more].filter((text) => text !== "");
  return [...new Set(texts.slice(from % 6 === 0 ? 1 : 0, length))];
}

/** From one date to another or the same one, to nothing or from nothing, at times a nanosecond later. */
function rangeAround({ kind, length, from, swapCase }: SimplePlan, value: string, far: Values): object {
  const [first = "", last = ""] = [value || "2024-01-01T00:00:00Z", far(kind)[0] ?? "2024-01-01T00:00:00Z"]
    .toSorted((one, other) => (toTheNanosecond(one) < toTheNanosecond(other) ? -1 : 1))
    .map((date) => (from % 3 === 0 ? toTheNanosecond(date).replace("000Z", "001Z") : date));
  if (length === 0) return { from: first };
  if (length === 1) return { to: last };
  return { from: first, to: swapCase ? first : last };
}

/** The part of a text that the method looks at, at times in the other case. */
function pieceOf({ method, from, length, swapCase }: SimplePlan, value: string): string {
  const letters = Array.from(swapCase && (method.endsWith("IGNORE_CASE") || from % 3 === 0) ? swapped(value) : value);
  if (method.includes("EQUALS")) return letters.join("");
  if (method.includes("STARTS")) return letters.slice(0, length).join("");
  if (method.includes("ENDS")) return length === 0 ? "" : letters.slice(-length).join("");
  const start = from % (letters.length + 1);
  return letters.slice(start, start + length).join("");
}

/** The other case of every letter that has exactly one partner. */
function swapped(text: string): string {
  return Array.from(text, (letter) => {
    const [small, capital] = [letter.toLowerCase(), letter.toUpperCase()];
    if (small !== letter && small.toUpperCase() === letter) return small;
    return capital !== letter && capital.toLowerCase() === letter ? capital : letter;
  }).join("");
}

/** Writes all nine digits of the second's fraction, so that dates in UTC compare as texts. */
function toTheNanosecond(date: string): string {
  const [seconds = "", fraction = ""] = date.slice(0, -1).split(".");
  return `${seconds}.${fraction.padEnd(9, "0")}Z`;
}
