import { describe, expect, test } from "vitest";
import type { StoredEvent } from "../operation.ts";
import { clientName, combination, fair, home, keeper } from "../world.ts";
import {
  activate,
  added,
  addedWithEnd,
  call,
  changed,
  create,
  created,
  createdWithEnd,
  done,
  end,
  event,
  inForce,
  itsEnd,
  never,
  noOrder,
  over,
  read,
  refused,
  renew,
  renewed,
  row,
  unknown,
  update,
  updated,
  wrong,
} from "./story.ts";

describe("A history is refused", () => {
  test("when a read shows what had been replaced before it began", () => {
    const stale = read(4, 5, row(1, "seller"));
    const operations = [created, updated, stale];
    expect(wrong({ operations, events: [added, changed], rows: [row(2, "buyer")] })).toEqual([noOrder]);
  });

  test("when an acknowledged write is lost", () => {
    expect(wrong({ operations: [created, updated], events: [added], rows: [row(1, "seller")] })).toEqual([
      "an acknowledged write of which there is no event",
      noOrder,
    ]);
  });

  test("when an update overwrites one it says it has seen nothing of", () => {
    const blind = call(4, 5, { request: update("clerk", 1), outcome: done(3) });
    const events = [added, changed, event("changed", 3, "clerk")];
    expect(wrong({ operations: [created, updated, blind], events, rows: [row(3, "clerk")] })).toEqual([noOrder]);
  });

  test("when two creates of one combination succeed", () => {
    const twin = call(0, 1, { request: create("seller"), outcome: done(2, "b") });
    const events = [added, event("added", 2, "seller", { id: "b" })];
    const rows = [row(2, "seller", { id: "b", creationDate: 2 })];
    expect(wrong({ operations: [created, twin], events, rows })).toEqual(["added while it was there", noOrder]);
  });

  test("when there is an authorization that no one asked for", () => {
    expect(wrong({ events: [added], rows: [row(1, "seller")] })).toEqual(["an event that nobody asked for", noOrder]);
    expect(wrong({ rows: [row(1, "seller")] })).toEqual(["stored without any event", noOrder]);
  });

  test("when a create made what it was refused for", () => {
    const twice = call(0, 1, { request: create("seller"), outcome: refused("AUTHORIZATION_EXISTS", { id: "a" }) });
    expect(wrong({ operations: [twice], events: [added], rows: [row(1, "seller")] })).toEqual([
      "an event that nobody asked for",
      noOrder,
    ]);
  });

  test("when a write without an answer happened twice", () => {
    const lost = call(2, never, { request: update("buyer"), outcome: unknown });
    const back = call(4, 5, { request: update("seller"), outcome: done(3), client: clientName(2) });
    const events = [
      added,
      changed,
      event("changed", 3, "seller", { actor: clientName(2) }),
      event("changed", 4, "buyer"),
    ];
    expect(wrong({ operations: [created, lost, back], events, rows: [row(4, "buyer")] })).toEqual([
      "an event that nobody asked for",
      noOrder,
    ]);
  });

  test("when someone else is named as the one who did it", () => {
    const events = [event("added", 1, "seller", { actor: clientName(2) })];
    expect(wrong({ operations: [created], events, rows: [row(1, "seller")] })).toEqual([
      "an event that nobody asked for",
    ]);
  });

  test("when a caller without the right succeeds", () => {
    const viewer = call(2, 3, { request: update("buyer"), outcome: done(2), client: clientName(7) });
    const events = [added, event("changed", 2, "buyer", { actor: clientName(7) })];
    expect(wrong({ operations: [created, viewer], events, rows: [row(2, "buyer")] })).toEqual([
      "an event that nobody asked for",
      noOrder,
    ]);
  });

  test("when a write that changes nothing leaves an event", () => {
    const same = call(2, 3, { request: update("seller"), outcome: done(2) });
    const events = [added, event("changed", 2, "seller")];
    expect(wrong({ operations: [created, same], events, rows: [row(2, "seller")] })).toEqual([
      "a change of roles that is none",
      noOrder,
    ]);
  });

  test("when the date of an event is not later than the one before", () => {
    const events = [added, event("changed", 1, "buyer", { sequence: 2 })];
    const problems = ["the date of an event is not later than the one before", noOrder];
    const early = call(2, 3, { request: update("buyer"), outcome: done(1) });
    const unheard = call(2, never, { request: update("buyer"), outcome: unknown });
    const seen = read(4, 5, row(1, "buyer"));
    expect(wrong({ operations: [created, early], events, rows: [row(1, "buyer")] })).toEqual(problems);
    expect(wrong({ operations: [created, unheard, seen], events, rows: [row(1, "buyer")] })).toEqual(problems);
  });

  test.each([
    ["an old date for no change", { request: update("buyer"), outcome: done(1) }],
    ["another id for what exists", { request: create(""), outcome: refused("AUTHORIZATION_EXISTS", { id: "b" }) }],
    [
      "an old date for what changed meanwhile",
      { request: update("", 7), outcome: refused("AUTHORIZATION_CHANGED", { changeDate: 1 }) },
    ],
  ])("when it is answered %s", (_, given) => {
    const operations = [created, updated, call(4, 5, given)];
    expect(wrong({ operations, events: [added, changed], rows: [row(2, "buyer")] })).toEqual([noOrder]);
  });

  test("when an end is not seen, or is seen early", () => {
    const given = { events: [addedWithEnd, itsEnd], rows: [over] };
    expect(wrong({ operations: [createdWithEnd, read(6, 7, inForce)], ...given })).toEqual([noOrder]);
    expect(wrong({ operations: [createdWithEnd, read(3, 4, over)], ...given })).toEqual([noOrder]);
    expect(wrong({ operations: [createdWithEnd, read(3, 4, over)], ...given, clockSkew: 1 })).toEqual([]);
  });

  test("when a change ignores that an end has passed", () => {
    const given = { rows: [row(9_500, "seller", { expirationDate: end })] };
    const activated = event("reactivated", 9_500, "seller", { expirationDate: end, expirationDateBefore: end });
    const operations = [createdWithEnd, call(9, 10, { request: activate, outcome: done(9_500) })];
    expect(wrong({ operations, events: [addedWithEnd, itsEnd, activated], ...given })).toEqual([
      "no reactivation",
      noOrder,
    ]);
    const unchanged = call(9, 10, { request: activate, outcome: done(1) });
    expect(wrong({ operations: [createdWithEnd, unchanged], events: [addedWithEnd, itsEnd], rows: [over] })).toEqual([
      noOrder,
    ]);
    const late = call(9, 10, { request: renew(9_000), outcome: done(9_500) });
    const events = [addedWithEnd, itsEnd, renewed(9_500, 9_000)];
    const rows = [row(9_500, "seller", { expirationDate: 9_000 })];
    expect(wrong({ operations: [createdWithEnd, late], events, rows })).toEqual([noOrder]);
  });

  test("when events tell of an end that is none, or do not tell of one", () => {
    const wrongEnds = (...events: StoredEvent[]) => wrong({ operations: [createdWithEnd], events });
    expect(wrongEnds(addedWithEnd, { ...itsEnd, date: 4_999 })).toContain("no end");
    expect(wrongEnds(addedWithEnd, itsEnd, { ...itsEnd, date: 5_001 })).toContain("no end");
    expect(wrongEnds(addedWithEnd, { ...itsEnd, actor: "client-0" })).toContain("no end");
    expect(wrongEnds(addedWithEnd, renewed(9_500, undefined))).toContain("an end of which no event tells");
    expect(wrongEnds(addedWithEnd, itsEnd, renewed(9_500, 11_000, { expirationDateBefore: 4_000 }))).toContain(
      "an event with another end before it",
    );
  });

  test.each([
    ["a cascade that takes no role", event("cascade.changed", 2, "seller")],
    ["no deactivation", event("deactivated", 2, "seller")],
    ["no reactivation", event("reactivated", 2, "seller")],
    ["removed, and yet there", event("removed", 2, "seller")],
    ["an event of what was not there", event("changed", 2, "buyer", { id: "b" })],
    ["an event of a type that nothing here makes", event("cascade.removed", 2, "", { state: null })],
  ])("when events tell of %s", (problem, second) => {
    expect(wrong({ operations: [created], events: [added, second] })).toContain(problem);
  });

  test("when events tell of a cascade although no one changed the directory, or of another combination", () => {
    const alone = [added, event("cascade.changed", 2, "")];
    expect(wrong({ operations: [created], events: alone })).toContain("an event that nobody asked for");
    expect(wrong({ events: [event("added", 1, "", { key: "elsewhere" })] })).toContain(
      "an event of a combination nobody spoke of",
    );
  });

  test("when what is stored is not what the events tell", () => {
    expect(wrong({ operations: [created], events: [added], rows: [row(1, "buyer")] })).toEqual([
      "the events tell something else than what is stored",
      noOrder,
    ]);
    expect(wrong({ operations: [created], events: [added] })).toHaveLength(2);
  });

  test("when a role stays that a change of the directory took away", () => {
    const here = combination("visitor-0", fair, home);
    const operations = [call(0, 1, { on: here, request: create("seasonal"), outcome: done(1, "a") })];
    const events = [event("added", 1, "seasonal", { key: here.key })];
    const taken = { change: "remove role", start: 2, end: 3, client: keeper, server: "A" } as const;
    const directory = [{ ...taken, outcome: { kind: "applied" } as const }];
    const rows = [row(1, "seasonal", { key: here.key })];
    expect(wrong({ operations, events, directory, rows }, [here])).toEqual([noOrder]);
  });

  test("when the service answers what it must not", () => {
    const operations = [call(0, 1, { request: create("seller"), outcome: { kind: "wrong", why: "500" } })];
    expect(wrong({ operations })).toEqual(["an answer the service must not give"]);
  });
});
