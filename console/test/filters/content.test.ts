import { AuthorizationsSearchFilterSchema, TextFilterMethod } from "@authorization-service/client";
import { expect, it } from "vitest";
import { asFilter, type Content, contentOf, kindNames, newFilter } from "../../src/filters/content.ts";
import { sampled } from "./samples.ts";

it("every kind of filter that the service knows is offered, and no other", () => {
  const known = AuthorizationsSearchFilterSchema.oneofs[0]?.fields.map((field) => field.localName);
  expect([...kindNames].sort()).toEqual(known?.sort());
});

it.each(sampled)("a form of $kind gives the filter that it was opened with", ({ filter }) => {
  expect(again(contentOf(filter))).toEqual(filter);
});

it.each(kindNames)("a new filter of %s is of that kind", (kind) => {
  expect(newFilter(kind).filter.case).toBe(kind);
  expect(again(contentOf(newFilter(kind)))).toEqual(newFilter(kind));
});

it("texts keep each of the methods", () => {
  for (const { filter } of sampled) {
    const content = contentOf(filter);
    if (content?.shape !== "text") continue;
    for (const method of Object.values(TextFilterMethod)) {
      expect(contentOf(content.having("x", method))).toMatchObject({ value: "x", method });
    }
  }
});

it("a range keeps what is finer than a field shows in the end that no one edits", () => {
  const from = { $typeName: "google.protobuf.Timestamp" as const, seconds: 1n, nanos: 123456789 };
  const content = contentOf(asFilter({ case: "created", value: { from } }));
  if (content?.shape !== "range") throw new Error("created is no range");
  const to = { ...from, seconds: 2n };
  expect(contentOf(content.having({ ...content.value, to }))).toMatchObject({ value: { from, to } });
});

function again(content: Content | undefined) {
  // The compiler can't know that each has the value that it takes.
  return content && (content.having as (value: unknown) => unknown)(content.value);
}
