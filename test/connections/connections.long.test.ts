import { expect, test } from "vitest";
import { runRounds } from "./rounds.ts";

test("Connections that are opened, broken and closed leave no socket, and no more memory in the second round", async () => {
  const { left, kinds } = await runRounds(2, 1_300, 1);
  expect(kinds.size).toBe(13);
  const [first, second] = left;
  expect([first?.sockets, second?.sockets]).toEqual([0, 0]);
  expect((second?.heap ?? 0) / (first?.heap ?? 1)).toBeLessThan(1.1);
});
