import type { Instant, NewAuthorization } from "./authorization.ts";
import { requireAssignable } from "./checks.ts";
import { type Caller, organizationPlace, permissionGuard, placesWith } from "./permissions.ts";
import { Refusal } from "./refusal.ts";
import { type Outcome, proceed, stopIfAtomic, underWay } from "./steps.ts";
import type { AuthorizationChange } from "./store.ts";

/** A requested authorization, with the id it will have. */
type Assignment = Omit<NewAuthorization, "place"> & {
  readonly projectId: string;
  readonly organizationId: string;
};

/**
 * Does what CreateAuthorization does for any number of assignments, in order. Several may be for the same combination.
 */
export async function createAuthorizations(
  change: AuthorizationChange,
  caller: Caller,
  assignments: readonly Assignment[],
  atomic = false,
): Promise<Outcome[]> {
  const requirePermission = permissionGuard(caller, "user.grant.write");
  const mayWrite = placesWith(caller, "user.grant.write");
  // An entry on the instance or the organization gives the permission in any place of that organization.
  const expected = await change.findPlaces(
    assignments.filter(({ organizationId }) => !mayWrite(organizationPlace(organizationId))),
  );
  const permitted = proceed(assignments, (assignment) => {
    // If the organization neither owns the project nor has a grant for it, only entries on wider scopes apply.
    requirePermission(expected(assignment) ?? organizationPlace(assignment.organizationId));
    return assignment;
  });
  // Only after the permission check, so that callers never wait for the lock of a project where they have no rights.
  const asked = underWay(permitted);
  const [placeOf, exists] = await Promise.all([change.lockPlaces(asked), change.lockParties(asked)]);
  const placed = proceed(permitted, ({ id, userId, projectId, organizationId, roleKeys }) => {
    const place = placeOf({ projectId, organizationId });
    requirePermission(place ?? organizationPlace(organizationId));
    if (!exists.users.has(userId)) throw new Refusal("USER_NOT_FOUND", "userId: there is no such user");
    if (!exists.organizations.has(organizationId))
      throw new Refusal("ORGANIZATION_NOT_FOUND", "organizationId: there is no such organization");
    if (place === undefined)
      throw new Refusal(
        "PROJECT_NOT_GRANTED",
        "there is no such project, or the organization neither owns it nor has a grant for it",
      );
    return { id, userId, place, roleKeys };
  });
  const assignable = await change.lockAssignableRoles(underWay(placed));
  const allowed = proceed(placed, (authorization) => {
    requireAssignable(assignable(authorization.place), authorization.roleKeys);
    return authorization;
  });
  const wanted = stopIfAtomic(allowed, atomic);
  const created = await change.create(underWay(wanted));
  return proceed(wanted, ({ id }) => ({ date: dateOf(created.get(id)), changed: true })) as Outcome[];
}

function dateOf(result: { creationDate: Instant } | { existingId: string } | undefined): Instant {
  if (result === undefined) throw new Error("an authorization was neither created nor found");
  if ("creationDate" in result) return result.creationDate;
  throw new Refusal(
    "AUTHORIZATION_EXISTS",
    "the user already has an authorization for this project in this organization: update that one instead",
    {
      id: result.existingId,
    },
  );
}
