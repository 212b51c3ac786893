import { expect, test } from "vitest";
import { takeTurns } from "../../src/limits/turns.ts";

const never = new AbortController().signal;

/** Starts work that is done when `end` is called, and notes its name when it begins. */
function start(inTurn: ReturnType<typeof takeTurns>, begun: string[], userId: string, name: string, signal = never) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const done = inTurn(userId, signal, () => {
    begun.push(name);
    return promise;
  });
  done.catch(() => {});
  return { done, end: resolve, fail: reject };
}

test("So much work of a user runs at a time, the rest begins in the order of its arrival, and others don't wait", async () => {
  const inTurn = takeTurns(2);
  const begun: string[] = [];
  const [first, second, third, fourth] = ["1", "2", "3", "4"].map((name) => start(inTurn, begun, "ann", name));
  const other = start(inTurn, begun, "bob", "bob's");
  expect(begun).toEqual(["1", "2", "bob's"]);
  second?.end();
  await second?.done;
  expect(begun.slice(3)).toEqual(["3"]);
  first?.fail(new Error("broken"));
  await expect(first?.done).rejects.toThrow("broken");
  expect(begun.slice(3)).toEqual(["3", "4"]);
  for (const work of [third, fourth, other]) work?.end();
  await Promise.all([third?.done, fourth?.done, other.done]);
  expect(begun).toHaveLength(5);
});

test("Work whose signal aborts leaves, and its turn goes to the one behind it", async () => {
  const inTurn = takeTurns(1);
  const begun: string[] = [];
  const leaving = new AbortController();
  const first = start(inTurn, begun, "ann", "1");
  const second = start(inTurn, begun, "ann", "2", leaving.signal);
  const third = start(inTurn, begun, "ann", "3");
  leaving.abort(new Error("too late"));
  await expect(second.done).rejects.toThrow("too late");
  const late = start(inTurn, begun, "ann", "late", leaving.signal);
  await expect(late.done).rejects.toThrow("too late");
  expect(begun).toEqual(["1"]);
  first.end();
  await first.done;
  third.end();
  await third.done;
  expect(begun).toEqual(["1", "3"]);
  // Nothing is left of them: the next one begins at once.
  start(inTurn, begun, "ann", "4");
  expect(begun).toEqual(["1", "3", "4"]);
});
