import type { FoundAuthorization, State } from "./authorization.ts";
import { requireChangeable } from "./checks.ts";
import { type Caller, permissionGuard, visibilityOf } from "./permissions.ts";
import { Refusal } from "./refusal.ts";
import { carryOut, judge, type Outcome, type Step } from "./steps.ts";
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
  const seen = await change.find(visibilityOf(caller), ids);
  const allowed = judge(named, ({ id, unchangedSince }): Step<FoundAuthorization> => {
    const authorization = requireChangeable(seen.get(id), requirePermission, unchangedSince);
    // An expired one can still be deactivated, so that a later end alone doesn't make it active again.
    if (authorization.state === state && !authorization.expired) return authorization.changeDate;
    if (state === "active" && authorization.ended) throw expired();
    return authorization;
  });
  return carryOut(change, allowed, atomic, (items) => change.setState(items, state));
}

function expired(): Refusal {
  return new Refusal("AUTHORIZATION_EXPIRED", "the authorization has ended: update it with a later end, or none");
}
