import { test } from "vitest";
import type { Operation } from "../oracle/operations.ts";
import { expectModelIn } from "../support/in-any-world.ts";

const changing = ["create", "update", "delete", "activate", "deactivate", "batch"];
const asks = (kinds: readonly string[]) => (one: Operation) => kinds.some((kind) => kind in one);

test("Changes of assignments do in any world what they do in the in-memory model", async () => {
  await expectModelIn(asks([...changing, "pass", "settle"]), { cases: 40, operations: 15 });
}, 240_000);

test("Lists, look-ups, and checks show in any world what the in-memory model shows", async () => {
  const isRead = (one: Operation) => !asks([...changing, "offboard"])(one);
  await expectModelIn(isRead, { cases: 30, operations: 50 });
}, 240_000);
