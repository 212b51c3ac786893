import { mkdirSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { claimOwnership } from "../../src/embedded/ownership.ts";
import { newDataDirectory } from "./place.ts";

// Some contenders are slow between judging the last owner and claiming the next number, so that others overtake them.
let links = 0;
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const link = async (from: string, to: string) => {
    links += 1;
    if (links % 3 === 0) await sleep(20);
    return real.link(from, to);
  };
  return { ...real, link };
});

test("however many claim at once, there is never more than one owner", async () => {
  const folder = newDataDirectory();
  mkdirSync(folder, { recursive: true });
  let owners = 0;
  let most = 0;
  const contenders = Array.from({ length: 10 }, async () => {
    for (let turns = 0; turns < 5; ) {
      const outcome = await claimOwnership(folder, { kind: "command", name: "contender" });
      if ("owner" in outcome) continue;
      owners += 1;
      most = Math.max(most, owners);
      await sleep(1);
      owners -= 1;
      turns += 1;
      await outcome.claim.release();
    }
  });
  await Promise.all(contenders);
  expect(most).toBe(1);
  expect(readdirSync(folder)).toEqual(["owner.50.json"]);
});
