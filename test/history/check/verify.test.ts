import { describe, expect, test } from "vitest";
import { clientName, combination, fair, guest, keeper } from "../world.ts";
import {
  activate,
  added,
  addedWithEnd,
  call,
  changed,
  create,
  created,
  createdWithEnd,
  deactivate,
  done,
  end,
  ending,
  event,
  inForce,
  itsEnd,
  never,
  noOrder,
  over,
  read,
  refused,
  remove,
  renew,
  renewed,
  row,
  unknown,
  update,
  wrong,
} from "./story.ts";

describe("A history is proven", () => {
  test("through the whole life of an authorization, with answers that tell of no change", () => {
    const operations = [
      created,
      call(2, 3, { request: create(""), outcome: refused("AUTHORIZATION_EXISTS", { id: "a" }) }),
      call(4, 5, { request: deactivate, outcome: done(2) }),
      call(6, 7, { request: deactivate, outcome: done(2), client: clientName(2) }),
      read(8, 9, row(2, "seller", { state: "inactive" })),
      call(10, 11, { request: activate, outcome: done(3) }),
      call(12, 13, { request: update("seller"), outcome: done(3) }),
      call(14, 15, { request: update("", 2), outcome: refused("AUTHORIZATION_CHANGED", { changeDate: 3 }) }),
      call(16, 17, { request: update("nobody"), outcome: refused("ROLE_NOT_FOUND") }),
      call(18, 19, { request: remove, outcome: done(4) }),
      call(20, 21, { request: remove, outcome: done(4), client: clientName(2) }),
      call(22, 23, { request: remove, outcome: refused("AUTHORIZATION_NOT_FOUND"), client: clientName(4) }),
      call(24, 25, { request: create("buyer"), outcome: done(5, "b") }),
    ];
    const events = [
      added,
      event("deactivated", 2, "seller", { state: "inactive" }),
      event("reactivated", 3, "seller"),
      event("removed", 4, ""),
      event("added", 5, "buyer", { id: "b" }),
    ];
    const rows = [row(5, "buyer", { id: "b", creationDate: 5 })];
    expect(wrong({ operations, events, rows })).toEqual([]);
  });

  test("when an end passes, which calls see by their moment, and is taken back", () => {
    const operations = [
      createdWithEnd,
      read(2, 3, inForce),
      call(2, 3, { request: renew(1), outcome: refused("EXPIRATION_NOT_IN_FUTURE") }),
      read(4, 6, inForce),
      read(4, 6, over),
      call(4, 6, { request: activate, outcome: refused("AUTHORIZATION_EXPIRED") }),
      read(7, 8, over),
      call(7, 8, { request: update("buyer", 1), outcome: refused("AUTHORIZATION_CHANGED", { changeDate: end }) }),
      call(7, 8, { request: renew(end), outcome: done(end) }),
      call(8, 9, { request: ending, outcome: refused("EXPIRATION_NOT_IN_FUTURE") }),
      call(9, 10, { request: renew(11_000), outcome: done(9_500) }),
      call(12, 13, { request: deactivate, outcome: done(12_500) }),
      call(14, 15, { request: renew("none"), outcome: done(14_500) }),
    ];
    const second = { expirationDate: 11_000, expirationDateBefore: 11_000 };
    const events = [
      ...[addedWithEnd, itsEnd, renewed(9_500, 11_000), event("expired", 11_000, "seller", second)],
      event("deactivated", 12_500, "seller", { state: "inactive", ...second }),
      renewed(14_500, undefined, { state: "inactive", expirationDateBefore: 11_000 }),
    ];
    const rows = [row(14_500, "seller", { state: "inactive" })];
    expect(wrong({ operations, events, rows })).toEqual([]);
  });

  test("when an end passes while a change that came before it is still to be seen", () => {
    const removing = call(3, 9, { request: remove, outcome: done(4_000) });
    const events = [addedWithEnd, event("removed", 4_000, "", { expirationDateBefore: end })];
    expect(wrong({ operations: [createdWithEnd, removing, read(6, 7, over)], events })).toEqual([]);
  });

  test("when a write without an answer has an event, or has none and is not seen", () => {
    const lost = call(2, never, { request: update("buyer"), outcome: unknown });
    expect(wrong({ operations: [created, lost], events: [added, changed], rows: [row(2, "buyer")] })).toEqual([]);
    expect(wrong({ operations: [created, lost], events: [added], rows: [row(1, "seller")] })).toEqual([]);
  });

  test("with callers that see it and may not, or do not see it", () => {
    const viewer = { request: remove, client: clientName(7) };
    const creator = { request: create("buyer"), client: clientName(7) };
    const stranger = { request: remove, client: clientName(3) };
    const operations = [
      created,
      call(2, 3, { ...viewer, outcome: refused("PERMISSION_DENIED") }),
      call(4, 5, { ...stranger, outcome: refused("AUTHORIZATION_NOT_FOUND") }),
      call(6, 7, { ...creator, outcome: refused("PERMISSION_DENIED") }),
    ];
    expect(wrong({ operations, events: [added], rows: [row(1, "seller")] })).toEqual([]);
  });

  test("when a role leaves with a change of the directory, and cannot be given until it is back", () => {
    const here = combination("visitor-0", fair, guest);
    const at = { on: here, key: here.key };
    const change = (start: number, end: number, what: "remove role" | "add role" | "grant key") => {
      return { change: what, start, end, client: keeper, server: "A", outcome: { kind: "applied" } as const };
    };
    const operations = [
      call(0, 1, { ...at, request: create("seasonal,seller"), outcome: done(1, "a") }),
      call(4, 5, { ...at, request: update("seasonal"), outcome: refused("ROLE_NOT_FOUND") }),
      call(10, 11, { ...at, request: update("seasonal"), outcome: done(3) }),
    ];
    const events = [
      event("added", 1, "seasonal,seller", { key: here.key }),
      event("cascade.changed", 2, "seller", { key: here.key, actor: keeper }),
      event("changed", 3, "seasonal", { key: here.key }),
    ];
    const directory = [change(2, 3, "remove role"), change(6, 7, "add role"), change(8, 9, "grant key")];
    const rows = [row(3, "seasonal", { key: here.key })];
    expect(wrong({ operations, events, directory, rows }, [here])).toEqual([]);
    expect(wrong({ operations, events, directory: directory.slice(0, 2), rows }, [here])).toEqual([noOrder]);
    const [gone, , granted] = directory;
    if (gone === undefined || granted === undefined) throw new Error("there are three");
    const early = { ...granted, start: 4, end: 5 };
    const refusedEarly = { ...early, outcome: refused("ROLE_NOT_FOUND") };
    expect(wrong({ operations, events, directory: [gone, early, ...directory.slice(1)], rows }, [here])).toEqual([
      noOrder,
    ]);
    expect(wrong({ operations, events, directory: [...directory, refusedEarly], rows }, [here])).toEqual([]);
  });
});
