import { requireAssignable, requireChangeable, requireFuture } from "./checks.ts";
import { permissionGuard, visibilityOf } from "./permissions.ts";
import { carryOut, judge, type Rule, type Step } from "./steps.ts";
import type { ComparedAuthorization, Holding } from "./store.ts";

export type Update = Holding & {
  /** The change date the caller last saw, in nanoseconds. */
  readonly unchangedSince: bigint | undefined;
};

/** Does what UpdateAuthorization does for any number of authorizations, each named once. */
export const updateAuthorizations: Rule<Update> = async (change, caller, updates, atomic = false) => {
  const requirePermission = permissionGuard(caller, "user.grant.write");
  const seen = await change.compare(visibilityOf(caller), updates);
  const allowed = judge(updates, ({ id, roleKeys, ending, unchangedSince }): Step<ComparedAuthorization & Holding> => {
    const authorization = requireChangeable(seen.get(id), requirePermission, unchangedSince);
    if (authorization.isSame) return authorization.changeDate;
    requireAssignable(authorization);
    requireFuture(authorization);
    return { ...authorization, roleKeys, ending };
  });
  return carryOut(change, allowed, atomic, change.replace);
};
