import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { whileRead } from "../../src/rpc/while-read.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function* bodyOf(...chunks: Uint8Array[]) {
  yield* chunks;
}

test("A stream is given up when its client takes nothing for five seconds, and not while it takes a little", async () => {
  const message = new Uint8Array(40_000).map((_, index) => index % 251);
  let givenUp = 0;
  const pieces = whileRead(bodyOf(message, new Uint8Array(1)), () => {
    givenUp += 1;
  });
  const taken: Uint8Array[] = [];
  for (const _ of "1234") {
    const { value } = await pieces.next();
    taken.push(value as Uint8Array);
    await vi.advanceTimersByTimeAsync(4_900);
  }
  expect([taken.map(({ byteLength }) => byteLength), givenUp]).toEqual([[16_384, 16_384, 7_232, 1], 0]);
  expect(Buffer.concat(taken.slice(0, 3)).equals(message)).toBe(true);
  await vi.advanceTimersByTimeAsync(100);
  expect(givenUp).toBe(1);
});
