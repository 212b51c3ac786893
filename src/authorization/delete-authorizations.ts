import type { FoundAuthorization, RemovedAuthorization } from "./authorization.ts";
import { notFound, requireChangeable } from "./checks.ts";
import { permissionGuard, placesWith, visibilityOf } from "./permissions.ts";
import type { Named } from "./set-states.ts";
import { carryOut, judge, type Rule, type Step } from "./steps.ts";

/**
 * Does what DeleteAuthorization does for any number of authorizations, each named once. Deleting one again succeeds for
 * callers who hold the permission today where the authorization was.
 */
export const deleteAuthorizations: Rule<Named> = async (change, caller, named, atomic = false) => {
  const requirePermission = permissionGuard(caller, "user.grant.delete");
  const mayDelete = placesWith(caller, "user.grant.delete");
  const ids = named.map(({ id }) => id);
  const seen = await change.find(visibilityOf(caller), ids);
  const removed = await change.findRemoved(ids.filter((id) => !seen.has(id)));
  const dateOf = (removal: RemovedAuthorization | undefined) => {
    if (removal === undefined || !mayDelete(removal)) throw notFound();
    return removal.removalDate;
  };
  const allowed = judge(named, ({ id, unchangedSince }): Step<FoundAuthorization> => {
    if (!seen.has(id)) return dateOf(removed.get(id));
    return requireChangeable(seen.get(id), requirePermission, unchangedSince);
  });
  return carryOut(change, allowed, atomic, change.remove);
};
