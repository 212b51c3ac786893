import type { LockedAuthorization, State } from "./authorization.ts";
import { requireChangeable } from "./checks.ts";
import { type Caller, permissionGuard, visibilityOf } from "./permissions.ts";
import { type Outcome, outcomes, proceed, type Step, stopIfAtomic, underWay } from "./steps.ts";
import type { AuthorizationChange } from "./store.ts";

/** An authorization to remove, activate or deactivate. */
export type Named = {
  readonly id: string;
  /** The change date the caller last saw, in nanoseconds. */
  readonly unchangedSince: bigint | undefined;
};

/** Does what ActivateAuthorization and DeactivateAuthorization do for any number of authorizations, each named once. */
export async function setStates(
  change: AuthorizationChange,
  caller: Caller,
  state: State,
  named: readonly Named[],
  atomic = false,
): Promise<Outcome[]> {
  const requirePermission = permissionGuard(caller, "user.grant.write");
  const ids = named.map(({ id }) => id);
  const seen = await change.lockVisible(visibilityOf(caller), ids);
  const allowed = proceed(named, ({ id, unchangedSince }): Step<LockedAuthorization> => {
    const authorization = requireChangeable(seen.get(id), requirePermission, unchangedSince);
    return authorization.state === state ? authorization.changeDate : authorization;
  });
  const wanted = stopIfAtomic(allowed, atomic);
  return outcomes(
    wanted,
    await change.setState(
      underWay(wanted).map(({ id }) => id),
      state,
    ),
  );
}
