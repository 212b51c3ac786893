import { requireAssignable, requireChangeable } from "./checks.ts";
import { type Caller, permissionGuard, visibilityOf } from "./permissions.ts";
import { type Outcome, outcomes, proceed, type Step, stopIfAtomic, underWay } from "./steps.ts";
import type { AuthorizationChange, Holding } from "./store.ts";

export type Update = Holding & {
  /** The change date the caller last saw, in nanoseconds. */
  readonly unchangedSince: bigint | undefined;
};

/** Does what UpdateAuthorization does for any number of authorizations, each named once. */
export async function updateAuthorizations(
  change: AuthorizationChange,
  caller: Caller,
  updates: readonly Update[],
  atomic = false,
): Promise<Outcome[]> {
  const requirePermission = permissionGuard(caller, "user.grant.write");
  const ids = updates.map(({ id }) => id);
  const seen = await change.lockVisible(visibilityOf(caller), ids);
  const changeable = proceed(updates, ({ id, roleKeys, unchangedSince }) => {
    return { id, roleKeys, place: requireChangeable(seen.get(id), requirePermission, unchangedSince) };
  });
  const asked = underWay(changeable);
  const [same, assignable] = await Promise.all([change.findHolding(asked), change.lockAssignableRoles(asked)]);
  const allowed = proceed(changeable, ({ id, roleKeys, place }): Step<Holding> => {
    if (same.has(id)) return place.changeDate;
    requireAssignable(assignable(place), roleKeys);
    return { id, roleKeys };
  });
  const wanted = stopIfAtomic(allowed, atomic);
  return outcomes(wanted, await change.replaceRoles(underWay(wanted)));
}
