import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchUnread } from "../../src/limits/unread.ts";

const mebibyte = 1_024 * 1_024;

/** Those that were given up, once each. */
let givenUp: object[];
let unread: ReturnType<typeof watchUnread<ReturnType<typeof make>>>;

beforeEach(() => {
  vi.useFakeTimers();
  givenUp = [];
  unread = watchUnread((response) => void (givenUp.includes(response) || givenUp.push(response)), 900_000);
});
afterEach(() => {
  unread.stop();
  vi.useRealTimers();
});

const make = (mebibytes: number) =>
  Object.assign(new EventEmitter(), { writableLength: mebibytes * mebibyte, writableEnded: mebibytes > 0 });

/** Begins a response of which so many mebibytes wait. Each has a holder of its own if none is given. */
function respond(mebibytes: number, holder = randomUUID() as string) {
  const response = make(mebibytes);
  unread.watch({ holder }, response);
  return response;
}

test("While at most half of the memory is taken, a response may wait", () => {
  respond(16);
  respond(16);
  vi.advanceTimersByTime(600_000);
  expect(givenUp).toEqual([]);
});

test("However little of it is taken, a response ends of which nothing is read for the longest time", () => {
  const stuck = respond(1);
  const read = respond(1);
  vi.advanceTimersByTime(600_000);
  read.writableLength -= 1;
  vi.advanceTimersByTime(299_750);
  expect(givenUp).toEqual([]);
  vi.advanceTimersByTime(500);
  expect(givenUp).toEqual([stuck]);
});

test("While more than half of it is taken, a response ends of which nothing is read for five seconds", () => {
  const stuck = respond(20);
  const read = respond(20);
  for (let looks = 0; looks < 40; looks += 1) {
    read.writableLength -= 1;
    vi.advanceTimersByTime(250);
    if (looks === 18) expect(givenUp).toEqual([]);
  }
  expect(givenUp).toEqual([stuck]);
});

test("When all of it is taken, those end at once that have waited longest, and no more than needed", () => {
  const oldest = respond(25);
  vi.advanceTimersByTime(1_000);
  respond(25);
  vi.advanceTimersByTime(1_000);
  expect(givenUp).toEqual([]);
  respond(25);
  vi.advanceTimersByTime(250);
  expect(givenUp).toEqual([oldest]);
});

test("A response that is read begins to wait again", () => {
  const first = respond(25);
  vi.advanceTimersByTime(1_000);
  const second = respond(25);
  vi.advanceTimersByTime(1_000);
  first.writableLength -= 1;
  vi.advanceTimersByTime(250);
  respond(25);
  vi.advanceTimersByTime(250);
  expect(givenUp).toEqual([second]);
});

test("While a holder has more than a quarter of it, its own responses end of which nothing is read", () => {
  const others = respond(10);
  const oldest = respond(10, "ann");
  vi.advanceTimersByTime(1_000);
  respond(10, "ann");
  vi.advanceTimersByTime(4_000);
  expect(givenUp).toEqual([]);
  vi.advanceTimersByTime(600_000);
  expect(givenUp).toEqual([oldest]);
  expect(givenUp).not.toContain(others);
});

test("What was given up takes memory until it is closed, and nothing else ends in its place", () => {
  const [stuck, other] = [respond(60), respond(30)];
  vi.advanceTimersByTime(1_000);
  const late = respond(1);
  vi.advanceTimersByTime(4_000);
  expect(givenUp).toEqual([stuck]);
  other.emit("close");
  vi.advanceTimersByTime(1_500);
  expect(givenUp).toEqual([stuck, late]);
  const next = respond(1);
  stuck.emit("close");
  vi.advanceTimersByTime(600_000);
  expect(givenUp).not.toContain(next);
});

test("A response without a body also ends that isn't sent in the longest time", () => {
  const [working, ended] = [respond(0), respond(0)];
  ended.writableEnded = true;
  vi.advanceTimersByTime(899_750);
  expect(givenUp).toEqual([]);
  vi.advanceTimersByTime(600_000);
  expect(givenUp).toEqual([ended]);
  expect(givenUp).not.toContain(working);
});

test("Responses without bytes to read, and closed ones, don't count", () => {
  respond(0);
  respond(100).emit("close");
  vi.advanceTimersByTime(10_000);
  expect(givenUp).toEqual([]);
});
