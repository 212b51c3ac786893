import type { NewAuthorization, Place } from "./authorization.ts";
import { requireAssignable, requireFuture } from "./checks.ts";
import { organizationPlace, permissionGuard } from "./permissions.ts";
import { Refusal } from "./refusal.ts";
import { carryOut, judge, type Rule } from "./steps.ts";
import type { Assignment, Prospect } from "./store.ts";

/**
 * Does what CreateAuthorization does for any number of assignments, in order. Several may be for the same combination.
 */
export const createAuthorizations: Rule<Assignment> = async (change, caller, assignments, atomic = false) => {
  const requirePermission = permissionGuard(caller, "user.grant.write");
  const prospects = await change.prepare(assignments);
  const earlier = new Map<string, string>();
  const allowed = judge(assignments, (assignment): NewAuthorization => {
    const { id, userId, projectId, organizationId, roleKeys, ending } = assignment;
    const prospect = prospects.get(id);
    if (prospect === undefined) throw new Error("an assignment was not prepared");
    // If the organization neither owns the project nor has a grant for it, only entries on wider scopes apply.
    requirePermission(prospect.place ?? organizationPlace(organizationId));
    const place = requirePlace(prospect);
    requireAssignable(prospect);
    requireFuture(prospect);
    // Ids never contain NUL, so it can separate them.
    const combination = [userId, projectId, organizationId].join("\0");
    requireNone(prospect.existingId ?? earlier.get(combination));
    earlier.set(combination, id);
    return { id, userId, place, roleKeys, ending };
  });
  return carryOut(change, allowed, atomic, change.create);
};

function requirePlace({ place, hasUser, hasOrganization }: Prospect): Place {
  if (!hasUser) throw new Refusal("USER_NOT_FOUND", "userId: there is no such user");
  if (!hasOrganization) throw new Refusal("ORGANIZATION_NOT_FOUND", "organizationId: there is no such organization");
  if (place !== undefined) return place;
  throw new Refusal(
    "PROJECT_NOT_GRANTED",
    "there is no such project, or the organization neither owns it nor has a grant for it",
  );
}

function requireNone(existingId: string | undefined): void {
  if (existingId === undefined) return;
  throw new Refusal(
    "AUTHORIZATION_EXISTS",
    "the user already has an authorization for this project in this organization: update that one instead",
    { id: existingId },
  );
}
