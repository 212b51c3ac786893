import { expect, test } from "vitest";
import { readHistoryLine } from "../../src/import-format/history-line.ts";

const line = (after: object, more: object = {}) =>
  JSON.stringify({
    directoryEvent: {
      ...{ sequence: "2026010000000001", time: "2026-01-31T08:00:00Z", kind: "project", id: "shop", within: "" },
      ...{ userId: null, actorId: null, requestId: "5f1c63d1-27ae-4db5-9c8a-5d5ff7d4e3a5", reason: "" },
      ...{ before: null, after: { id: "shop", organizationId: "acme", ...after }, ...more },
      places: [
        { kind: "organization", id: "acme" },
        { kind: "project", id: "shop" },
      ],
    },
  });

test("a name that looks like an escaped zero is a text like any other", () => {
  const json = line({ name: "a\\u0000b" });
  expect(readHistoryLine(json)?.json).toContain("a\\\\u0000b");
});

test.each([
  ["a zero", line({ name: "a\u0000b" }), "directoryEvent.after: project.name: must not contain a NUL character"],
  [
    "a zero in a name of a field",
    line({ name: "Shop", "a\u0000b": "" }),
    "directoryEvent.after: cannot decode message",
  ],
  ["half a character", line({ name: "\ud800" }), "directoryEvent.after: cannot decode field"],
  [
    "a field that every object has",
    line({ name: "Shop" }, { constructor: 1 }),
    'directoryEvent has no field "constructor"',
  ],
])("%s is refused", (_, json, message) => {
  expect(() => readHistoryLine(json)).toThrow(message);
});
