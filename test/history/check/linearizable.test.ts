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
});

describe("A history is refused when", () => {
  test("two readers see two writes in different orders", () => {
    const both = [write(1, 0, 9), write(2, 0, 9)];
    expect(verdict(...both, read(1, 1, 2), read(2, 3, 4), read(1, 5, 6))).toBe("impossible");
  });

  test("a write without an answer is seen, and then unseen", () => {
    expect(verdict(write(1, 0, never), read(1, 1, 2), read(0, 3, 4))).toBe("impossible");
  });
});
