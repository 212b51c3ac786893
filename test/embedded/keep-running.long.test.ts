import { expect, test } from "vitest";
import { keepRunning } from "../../src/embedded/keep-running.ts";
import type { WatchedProcess } from "../../src/embedded/watchdog.ts";
import { until } from "../support/until.ts";

const dead: WatchedProcess = { pid: 0, ended: Promise.resolve("exited with code 1"), stop: async () => {} };

test("a start that fails is tried again, later and later, until asked to stop", async () => {
  const said: string[] = [];
  const startOne = async (): Promise<WatchedProcess> => {
    throw new Error("the disk is full");
  };
  const stop = keepRunning(dead, startOne, (message) => said.push(message));
  await until("two attempts", () => said.length === 3);
  await stop();
  expect(said).toEqual([
    "PostgreSQL exited with code 1; restarting it",
    "the disk is full\nTrying again in a few seconds.",
    "the disk is full\nTrying again in a few seconds.",
  ]);
});

test("a Postgres that is just being started again when asked to stop is stopped as well", async () => {
  let starts = 0;
  let stops = 0;
  const started = Promise.withResolvers<WatchedProcess>();
  const startOne = () => {
    starts += 1;
    return started.promise;
  };
  const stop = keepRunning(dead, startOne, () => {});
  await until("the start", () => starts === 1);
  const stopped = stop();
  const stopOne = async () => {
    stops += 1;
  };
  started.resolve({ pid: 0, ended: new Promise(() => {}), stop: stopOne });
  await stopped;
  expect([starts, stops]).toEqual([1, 1]);
});
