import fc from "fast-check";
import { anyKeys, callers, ids, mostly, root } from "./generate-world.ts";
import type { Target } from "./operations.ts";

/** Mostly what exists, at times what does not. */
export const anyOf = (things: readonly string[]) =>
  fc.oneof({ weight: 15, arbitrary: fc.constantFrom(...things) }, { weight: 1, arbitrary: fc.constant("nowhere") });
export const anyOrganization = anyOf(ids.organizations);
export const anyUser = anyOf(ids.users);
export const anyProject = anyOf(ids.projects);
export const anyCaller = fc.constantFrom(root.userId, ...callers);

export const anyTarget: fc.Arbitrary<Target> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ among: fc.constant("visible" as const), at: fc.nat(8) }) },
  { weight: 3, arbitrary: fc.record({ among: fc.constant("live" as const), at: fc.nat(8) }) },
  { weight: 2, arbitrary: fc.record({ among: fc.constant("removed" as const), at: fc.nat(8) }) },
  { weight: 1, arbitrary: fc.constantFrom(...ids.authorizations, "never was") },
);
export const anyRoleKeys = fc.oneof(
  { weight: 10, arbitrary: anyKeys },
  { weight: 1, arbitrary: anyKeys.map((keys) => [...keys, "no role"]) },
);

/** Mostly where there is something to be assigned. */
export const anyPlaced = fc
  .record({ isPlaced: mostly(true), place: fc.nat(8), onlyAssignable: mostly(true) })
  .map(({ isPlaced, place, onlyAssignable }) => (isPlaced ? { place, onlyAssignable } : { onlyAssignable }));
