import { describe, expect, test } from "vitest";
import type { ListCall, Row } from "../operation.ts";
import { clientName, combination, fair, home, shop } from "../world.ts";
import {
  addedWithEnd,
  call,
  create,
  createdWithEnd,
  done,
  event,
  history,
  inForce,
  itsEnd,
  list,
  never,
  over,
  row,
  unknown,
  update,
} from "./story.ts";
import { verify } from "./verify.ts";

const one = combination("visitor-0", shop, home);
const two = combination("visitor-1", shop, home);
const three = combination("visitor-2", shop, home);

/** One is created and updated, two is created, one after the other; nobody heard whether three was. */
const operations = [
  call(0, 1, { request: create("seller"), outcome: done(1, "a") }),
  call(2, 3, { request: create("buyer"), outcome: done(2, "b"), on: two }),
  call(4, 8, { request: update("clerk"), outcome: done(3) }),
  call(5, never, { request: create("buyer"), outcome: unknown, on: three }),
];
const events = [
  event("added", 1, "seller"),
  event("added", 2, "buyer", { id: "b", key: two.key }),
  event("changed", 3, "clerk"),
  event("added", 4, "buyer", { id: "c", key: three.key }),
];
const before = row(1, "seller");
const after = row(3, "clerk");
const second = row(2, "buyer", { key: two.key, id: "b", creationDate: 2 });
const third = row(4, "buyer", { key: three.key, id: "c", creationDate: 4 });

function wrong(...lists: ListCall[]): string[] {
  const rows: Row[] = [after, second, third];
  return verify(history({ operations, events, lists, rows }), [one, two, three]).map(({ what }) => what);
}

describe("A list agrees with what was acknowledged", () => {
  test("when it shows all there is, whatever it saw of a write that continues", () => {
    expect(wrong(list(3.2, 3.5, [second, before]))).toEqual([]);
    expect(wrong(list(5, 6, [second, before]), list(5, 6, [second, after]))).toEqual([]);
    expect(wrong(list(9, 10, [second, after]), list(9, 10, [third, second, after]))).toEqual([]);
  });

  test("when it leaves out what its caller does not see", () => {
    expect(wrong({ ...list(9, 10, []), client: clientName(3) })).toEqual([]);
    expect(wrong({ ...list(9, 10, [second, after]), client: clientName(3) })).toContain(
      "a row that does not belong to the list",
    );
  });
});

describe("A list of one whose end passes", () => {
  const given = { operations: [createdWithEnd], events: [addedWithEnd, itsEnd], rows: [over] };
  const wrongIn = (...lists: ListCall[]) => verify(history({ ...given, lists }), [one]).map(({ what }) => what);
  const active = (from: number, to: number, rows: Row[]) => list(from, to, rows, { state: "active" });

  test("shows it as it is at one moment", () => {
    expect(wrongIn(list(2, 3, [inForce]), list(4, 6, [inForce]), list(4, 6, [over]), list(6, 7, [over]))).toEqual([]);
    expect(wrongIn(active(2, 3, [inForce]), active(4, 6, [inForce]), active(4, 6, []), active(6, 7, []))).toEqual([]);
  });

  test("shows it neither in force afterwards nor ended before", () => {
    expect(wrongIn(list(6, 7, [inForce]))).toEqual(["a row that was no longer so"]);
    expect(wrongIn(list(2, 3, [over]))).toEqual(["a row that was not there"]);
    expect(wrongIn(active(6, 7, [inForce]))).toEqual(["a row that was no longer so", "a total that is not 0 to 0"]);
    expect(wrongIn(active(2, 3, []))).toEqual(["an authorization that is missing", "a total that is not 1 to 1"]);
  });
});

describe("A list contradicts what was acknowledged", () => {
  test("when something is missing", () => {
    expect(wrong(list(9, 10, [second]))).toEqual(["an authorization that is missing", "a total that is not 2 to 3"]);
    expect(wrong(list(9, 10, [after], { limit: 1 }))).toEqual([
      "an authorization that is missing",
      "a total that is not 2 to 3",
    ]);
  });

  test("when it shows what had been replaced before it began", () => {
    expect(wrong(list(9, 10, [second, before]))).toEqual(["a row that was no longer so"]);
  });

  test("when its rows were never there together", () => {
    const late = [
      ...operations,
      call(20, 21, { request: update("seller"), outcome: done(6) }),
      call(22, 23, { request: { ...update("seller"), id: "b" } as never, outcome: done(7), on: two }),
    ];
    const newer = row(7, "seller", { key: two.key, id: "b", creationDate: 2 });
    const given = {
      operations: late,
      events: [...events, event("changed", 6, "seller"), event("changed", 7, "seller", { id: "b", key: two.key })],
      rows: [row(6, "seller"), newer, third],
      lists: [list(19, 24, [third, newer, after])],
    };
    expect(verify(history(given), [one, two, three]).map(({ what }) => what)).toEqual([
      "rows that were never there together",
    ]);
  });

  test("when its page, its total and its order do not fit", () => {
    const total = { ...list(9, 10, [second, after]), outcome: { kind: "listed", rows: [second, after], total: 3 } };
    expect(wrong(total as ListCall)).toEqual(["a page and a total that differ"]);
    expect(wrong(list(9, 10, [after, second]))).toEqual(["a page out of order"]);
    const few = { ...list(9, 10, [], { offset: 10 }), outcome: { kind: "listed", rows: [], total: 1 } };
    expect(wrong(few as ListCall)).toEqual(["a total that is not 2 to 3"]);
    const many = { ...list(9, 10, [], { offset: 10 }), outcome: { kind: "listed", rows: [], total: 4 } };
    expect(wrong(many as ListCall)).toEqual(["a total that is not 2 to 3"]);
  });

  test("when a row does not match its filters", () => {
    expect(wrong(list(9, 10, [after], { role: "buyer" }))).toContain("a row that does not belong to the list");
    expect(wrong(list(9, 10, [after], { projectId: fair }))).toContain("a row that does not belong to the list");
  });
});
