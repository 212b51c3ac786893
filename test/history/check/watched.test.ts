import { expect, test } from "vitest";
import type { StoredEvent, Watched } from "../operation.ts";
import { clientName, combination, fair, home, shop } from "../world.ts";
import { event } from "./story.ts";
import { checkWatched } from "./watched.ts";

const one = combination("visitor-0", shop, home);
const two = combination("visitor-0", fair, home);
const events = [
  event("added", 1, "seller"),
  event("added", 2, "", { id: "b", key: two.key }),
  event("changed", 3, "buyer"),
  event("removed", 4, ""),
];

/** What is wrong with what a watcher was told in its lives, by sequences. */
function wrong(lives: number[][], more: Partial<Watched> & { others?: StoredEvent[] } = {}): string[] {
  const { others = [], ...rest } = more;
  const all = [...events, ...others];
  const told = new Map(lives.flat().map((sequence) => [sequence, all[sequence - 1] as StoredEvent]));
  const watched = { client: clientName(0), filter: {}, lives, told, breaks: [], wrong: [], ...rest };
  return checkWatched(watched, events, [one, two]).map(({ what }) => what);
}

test("A watcher may be told events of several authorizations in any order, and all again in another life", () => {
  expect(wrong([[1, 3, 2, 4]])).toEqual([]);
  expect(wrong([[1], [2, 1, 3, 4]])).toEqual([]);
});

test("A watcher is told nothing of what it does not see, and nothing that does not match", () => {
  expect(wrong([[]], { client: clientName(3) })).toEqual([]);
  expect(wrong([[2]], { client: clientName(3) })).toEqual(["a watcher was told what it must not, or what is not so"]);
  expect(wrong([[2]], { filter: { projectId: fair } })).toEqual([]);
  expect(wrong([[1, 3]], { filter: { types: ["user.grant.changed"] } })).toEqual([
    "a watcher was told what it must not, or what is not so",
  ]);
});

test.each([
  ["an event that a watcher was never told", [[1, 2, 4]]],
  [
    "an event that a watcher was never told",
    [
      [1, 2, 3, 4],
      [1, 2, 3],
    ],
  ],
  ["a watcher was told an event twice", [[1, 2, 3, 3, 4]]],
  ["a watcher was told events in another order", [[1, 4, 2, 3]]],
])("It is found out: %s", (what, lives) => {
  expect(wrong(lives)).toEqual([what]);
});

test("An event that is not stored, or not so, is found out", () => {
  const others = [event("added", 5, "", { id: "c" })];
  expect(wrong([[1, 2, 3, 4, 5]], { others })).toEqual(["a watcher was told what it must not, or what is not so"]);
  const told = new Map(events.map((stored) => [stored.sequence, { ...stored, roles: "clerk" }]));
  expect(new Set(wrong([[1, 2, 3, 4]], { told }))).toEqual(
    new Set(["a watcher was told something else than what is stored"]),
  );
  expect(wrong([[1, 2, 3, 4]], { wrong: ["nothing came"] })).toEqual(["a stream that is wrong"]);
});
