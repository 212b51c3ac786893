import { mkdirSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { claimOwnership } from "../../src/embedded/ownership.ts";
import { newDataDirectory } from "./place.ts";

test("however many claim at once, there is never more than one owner", async () => {
  const folder = newDataDirectory();
  mkdirSync(folder, { recursive: true });
  let owners = 0;
  let most = 0;
  const contenders = Array.from({ length: 10 }, async () => {
    for (let turns = 0; turns < 5; ) {
      const release = await claimOwnership(folder, { name: "contender", isServer: false });
      if (!release) {
        await sleep(1);
        continue;
      }
      owners += 1;
      most = Math.max(most, owners);
      await sleep(1);
      owners -= 1;
      turns += 1;
      await release();
    }
  });
  await Promise.all(contenders);
  expect(most).toBe(1);
  expect(readdirSync(folder)).toEqual(["owner.lock"]);
});
