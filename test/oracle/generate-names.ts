import fc from "fast-check";
import { anyKeys, callers, ids, mostly, oneOf, root } from "./generate-world.ts";
import type { Target } from "./operations.ts";

/** Mostly what exists, at times what does not. */
export const anyOf = (things: readonly string[]) =>
  oneOf([15, fc.constantFrom(...things)], [1, fc.constant("nowhere")]);
export const anyOrganization = anyOf(ids.organizations);
export const anyUser = anyOf(ids.users);
export const anyProject = anyOf(ids.projects);
export const anyCaller = fc.constantFrom(root.userId, ...callers);

export const anyTarget: fc.Arbitrary<Target> = oneOf(
  [8, fc.record({ among: fc.constant("visible" as const), at: fc.nat(8) })],
  [3, fc.record({ among: fc.constant("live" as const), at: fc.nat(8) })],
  [2, fc.record({ among: fc.constant("removed" as const), at: fc.nat(8) })],
  [1, fc.constantFrom(...ids.authorizations, "never was")],
);
export const anyRoleKeys = oneOf([10, anyKeys], [1, anyKeys.map((keys) => [...keys, "no role"])]);

/** Mostly where there is something to be assigned. */
export const anyPlaced = fc
  .record({ isPlaced: mostly(true), place: fc.nat(8), onlyAssignable: mostly(true) })
  .map(({ isPlaced, place, onlyAssignable }) => (isPlaced ? { place, onlyAssignable } : { onlyAssignable }));
