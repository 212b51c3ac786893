import { test } from "vitest";
import type { Operation } from "../oracle/operations.ts";
import { expectModelIn } from "../support/in-any-world.ts";

// docs/reference/directory.md

const isAsked = (one: Operation) => ["apply", "offboard", "pass", "made"].some((kind) => kind in one);

test("Directory changes do in any world what they do in the in-memory model", async () => {
  await expectModelIn(isAsked, { cases: 40, operations: 12 });
}, 240_000);
