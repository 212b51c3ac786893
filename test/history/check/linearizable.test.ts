import { describe, expect, test } from "vitest";
import type { Timed } from "./line.ts";
import { checkLinearizable, type Model } from "./linearizable.ts";

/** A register that holds one number. */
type Op = Timed & { readonly write?: number; readonly read?: number };

const register: Model<number, Op> = {
  initial: 0,
  step: (state, { write, read }) => (write !== undefined ? write : read === state ? state : undefined),
  keyOf: String,
  effectOf: ({ write }) => write,
};

const never = Number.POSITIVE_INFINITY;
const write = (value: number, start: number, end: number): Op => ({ write: value, start, end });
const read = (value: number, start: number, end: number): Op => ({ read: value, start, end });
const verdict = (...ops: Op[]) => checkLinearizable(register, ops, 10_000).kind;

describe("A history holds when", () => {
  test("nothing was called", () => expect(verdict()).toBe("linearizable"));

  test("each call sees the one before it", () => {
    expect(verdict(write(1, 0, 1), read(1, 2, 3), write(2, 4, 5), read(2, 6, 7))).toBe("linearizable");
  });

  test("reads during a write see either side of it, in order", () => {
    expect(verdict(write(1, 0, 10), read(0, 1, 3), read(1, 4, 6))).toBe("linearizable");
  });

  test("two writes at once are seen in one order by everyone", () => {
    expect(verdict(write(1, 0, 10), write(2, 0, 10), read(2, 11, 12), read(2, 11, 13))).toBe("linearizable");
  });

  test("a write without an answer happened late, or never", () => {
    expect(verdict(write(1, 0, never), read(0, 1, 2), read(0, 3, 4))).toBe("linearizable");
    expect(verdict(write(1, 0, never), read(0, 1, 2), read(1, 3, 4))).toBe("linearizable");
  });

  test("one order would use up a call without an answer too early, and another does not", () => {
    const atOnce = [write(1, 0, 10), write(5, 0, 10), write(1, 0.5, never)];
    const later = [read(1, 11, 12), write(5, 13, 14), read(5, 15, 16), read(1, 17, 18)];
    expect(verdict(...atOnce, ...later)).toBe("linearizable");
  });

  test("calls touch at one moment: they may have overlapped", () => {
    expect(verdict(write(1, 0, 5), read(0, 5, 6))).toBe("linearizable");
  });
});

describe("A history is refused when", () => {
  test("a read shows what a later write had replaced before it began", () => {
    expect(verdict(write(1, 0, 1), write(2, 2, 3), read(1, 4, 5))).toBe("impossible");
  });

  test("an acknowledged write is lost", () => {
    expect(verdict(write(1, 0, 1), read(0, 2, 3))).toBe("impossible");
  });

  test("a read shows what no one wrote", () => {
    expect(verdict(write(1, 0, 1), read(7, 2, 3))).toBe("impossible");
  });

  test("two readers see two writes in different orders", () => {
    const both = [write(1, 0, 9), write(2, 0, 9)];
    expect(verdict(...both, read(1, 1, 2), read(2, 3, 4), read(1, 5, 6))).toBe("impossible");
  });

  test("a write without an answer is seen, and then unseen", () => {
    expect(verdict(write(1, 0, never), read(1, 1, 2), read(0, 3, 4))).toBe("impossible");
  });

  test("a write without an answer happens twice", () => {
    expect(verdict(write(1, 0, never), read(1, 1, 2), write(2, 3, 4), read(2, 5, 6), read(1, 7, 8))).toBe("impossible");
  });

  test("it names the calls that could not come next, and the state then", () => {
    const found = checkLinearizable(register, [write(1, 0, 1), read(1, 2, 3), read(7, 4, 5)], 100);
    expect(found).toEqual({ kind: "impossible", placed: 2, state: 1, stuck: [read(7, 4, 5)] });
  });
});

describe("The search", () => {
  test("gives up when told to, which is no proof", () => {
    const writes = Array.from({ length: 12 }, (_, value) => write(value, 0, 100));
    expect(checkLinearizable(register, [...writes, read(99, 101, 102)], 1_000).kind).toBe("too hard");
  });

  test("needs no more than each call once when nothing is in doubt", () => {
    const ops = Array.from({ length: 20_000 }, (_, at) =>
      at % 2 ? read(at - 1, at, at + 0.5) : write(at, at, at + 0.5),
    );
    expect(checkLinearizable(register, ops, 20_000).kind).toBe("linearizable");
  });

  test("does not try every choice among calls without an answer that do the same", () => {
    const unheard = Array.from({ length: 200 }, (_, at) => write(at % 2, at / 1_000, never));
    expect(checkLinearizable(register, [...unheard, read(0, 1, 2), read(1, 3, 4), read(7, 5, 6)], 1_000).kind).toBe(
      "impossible",
    );
  });
});
