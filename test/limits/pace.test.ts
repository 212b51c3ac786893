import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { openPace } from "../../src/limits/pace.ts";

test("Of requests that arrive together, ten begin in one turn of the event loop, in their order, and the rest in later ones", async () => {
  const pace = openPace();
  const begun: number[] = [];
  const arrive = (number: number) => pace(() => begun.push(number));
  const all = Array.from({ length: 25 }, (_, number) => number);
  all.forEach(arrive);
  for (const count of [0, 10, 20, 25]) {
    expect(begun).toEqual(all.slice(0, count));
    await nextTurn();
  }
  arrive(25);
  await nextTurn();
  expect(begun).toEqual([...all, 25]);
});

test("One that throws keeps none of the others from beginning", async () => {
  const pace = openPace();
  const begun: number[] = [];
  const thrown: unknown[] = [];
  const listeners = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException").on("uncaughtException", (error) => thrown.push(error));
  const fault = new Error("a fault");
  pace(() => {
    throw fault;
  });
  for (let number = 0; number < 12; number += 1) pace(() => begun.push(number));
  await nextTurn();
  await nextTurn();
  process.removeAllListeners("uncaughtException");
  for (const listener of listeners) process.on("uncaughtException", listener);
  expect(thrown).toEqual([fault]);
  expect(begun).toHaveLength(12);
});
