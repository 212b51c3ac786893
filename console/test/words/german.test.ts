import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { german } from "../../src/words/de/german.ts";
import { orderIn } from "../../src/words/de/orders.ts";
import { failureWords } from "../../src/words/failures.ts";

// The types prove most of this. What the tests add: records by any name, and texts that were only copied.

/** Exports that are the same in every language. */
const untranslated = ["product", "titleOf", "administratorRole"];

const modules = import.meta.glob<Record<string, unknown>>("../../src/words/*.ts", { eager: true });
const exported = Object.values(modules).flatMap((module) => Object.entries(module));
const english: Record<string, unknown> = Object.fromEntries(exported);
for (const name of untranslated) delete english[name];

type Place = readonly [way: string, value: unknown];

/** All texts, and sentences as functions, by where they are. */
function placesOf(value: unknown, way = ""): Place[] {
  // Headers of spreadsheets differ by language, also in number.
  if (typeof value !== "object" || value === null || way.includes(".headers.")) return [[way, value]];
  return Object.entries(value).flatMap(([name, held]) => placesOf(held, `${way}.${name}`));
}

/** What a translation must have in common with the English texts. */
function shapeOf([way, value]: Place): string {
  return `${way}: ${typeof value === "function" ? `a sentence with ${value.length} values` : typeof value}`;
}

/** What a sentence gets that is given several values by their names. */
const named = new Proxy({}, { get: () => "…" });

/** A text, or a sentence around what its values say. */
function textOf(value: unknown): string {
  if (typeof value !== "function") return String(value);
  for (const given of [named, "…", 2, ["…", "…"]]) {
    try {
      const said = value(...Array.from({ length: value.length }, () => given));
      const text = typeof said === "object" ? JSON.stringify(said) : String(said);
      if (!/NaN|undefined/.test(text)) return text;
    } catch {
      // It takes another kind of value.
    }
  }
  return "";
}

const texts = placesOf(german)
  .filter(([way]) => !way.includes(".headers."))
  .map(([way, value]) => [way, textOf(value)] as const);

it("finds each text by the name of its export, so no two modules have the same", () => {
  const names = exported.map(([name]) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

it("has every text that English has, and no other", () => {
  expect(placesOf(german).map(shapeOf).toSorted()).toEqual(placesOf(english).map(shapeOf).toSorted());
  expect(texts.length).toBeGreaterThan(1000);
});

it("copies no English sentence", () => {
  const said = new Map(placesOf(english).map(([way, value]) => [way, textOf(value)]));
  const copied = texts.filter(([way, text]) => /\p{L}{3,}\s\p{L}{3,}/u.test(text) && said.get(way) === text);
  expect(copied).toEqual([]);
});

it("has sentences of its own for every reason that the service gives", () => {
  const source = readFileSync(path.join(import.meta.dirname, "../../../src/authorization/refusal.ts"), "utf8");
  const reasons = [...source.matchAll(/^ {2}([A-Z_]+): "/gm)].map(([, reason]) => reason);
  expect(reasons.length).toBeGreaterThan(30);
  expect(Object.keys(german.failureWords.byReason).toSorted()).toEqual(reasons.toSorted());
  expect(Object.keys(failureWords.byReason).toSorted()).toEqual(reasons.toSorted());
});

it.each([
  ["people are „Personen“", /nutzer|user/i],
  ["administrators are „Verwaltung“", /administrat/i],
  ["rights are „Rechte“", /berechtigung/i],
  ["readers are „Sie“", /\b(du|dein\w*|dich|dir)\b/i],
  ["quotation marks are German", /”|(^|\s)[“"]\p{L}/u],
  ["a blank precedes dots that stand for words", /\p{L}{2,}…/u],
  ["a constant stands behind its words", /\b(IAM|ORG|PROJECT)_[A-Z_]+\b/],
])("one word for one thing: %s", (_, refused) => {
  const names = /^\.(administratorRoleWords|permissionWords)|^\.assignmentWords\.sorts/;
  expect(texts.filter(([way, text]) => !names.test(way) && refused.test(text))).toEqual([]);
});

it.each([
  ["gib Ann die Rolle Verkauf in Shop", { what: "give", person: "Ann", role: "Verkauf", project: "Shop" }],
  ["Ann die Rolle Verkauf in Shop geben", { what: "give", person: "Ann", role: "Verkauf", project: "Shop" }],
  ["gib Ann Keller Verkauf in Shop", { what: "give", person: "Ann Keller", role: "Verkauf", project: "Shop" }],
  ["Änderungen von Ann", { what: "changes", person: "Ann" }],
  ["dasselbe wie Ann", { what: "same", person: "Ann" }],
  ["Ann mit Bob vergleichen", { what: "compare", person: "Ann", other: "Bob" }],
  ["vergleiche Ann und Bob", { what: "compare", person: "Ann", other: "Bob" }],
  ["mit Ann vergleichen", { what: "same", person: "Ann" }],
  ["Matrix von Shop", { what: "matrix", project: "Shop" }],
  ["Ann Keller", undefined],
])("understands %s", (text, order) => {
  expect(orderIn(text)).toEqual(order);
});
