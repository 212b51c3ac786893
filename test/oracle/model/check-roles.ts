import { entriesWith, holds, nameOf, sees } from "./permissions.ts";
import { answerOf } from "./refused.ts";
import { compareTexts, placeOf, type World } from "./world.ts";

export type CheckRolesRequest = {
  items: { userId: string; projectId: string; organizationId?: string; roleKeys: string[] }[];
};
type Item = CheckRolesRequest["items"][number];

/** What only the service can know of an item: its words. */
type Told = { readonly error?: { message?: string } };

/** The body the service is to answer with. */
export function checkRoles(world: World, callerId: string, request: CheckRolesRequest, told: readonly Told[]): object {
  const results = request.items.map((item, index) => {
    if (mayAsk(world, callerId, item)) return { success: { held: heldOf(world, callerId, item) } };
    const reason = "PERMISSION_DENIED";
    const message = told[index]?.error?.message || "some words";
    return { error: { code: answerOf[reason]?.code, reason, message, metadata: { permission: nameOf("read") } } };
  });
  return { results };
}

function heldOf(world: World, callerId: string, { userId, projectId, organizationId, roleKeys }: Item): object[] {
  return [...world.authorizations.values()]
    .filter((authorization) => authorization.userId === userId && authorization.projectId === projectId)
    .filter((authorization) => !organizationId || authorization.organizationId === organizationId)
    .filter((authorization) => authorization.state === "STATE_ACTIVE" && sees(world, callerId, authorization))
    .flatMap((authorization) =>
      authorization.roleKeys
        .filter((key) => roleKeys.includes(key))
        .map((roleKey) => ({
          roleKey,
          organizationId: authorization.organizationId,
          authorizationId: authorization.id,
        })),
    )
    .sort(
      (one, other) =>
        compareTexts(one.roleKey, other.roleKey) || compareTexts(one.organizationId, other.organizationId),
    );
}

/** Whoever may read there may ask, even where there is nothing. */
function mayAsk(world: World, callerId: string, { userId, projectId, organizationId }: Item): boolean {
  if (userId === callerId) return true;
  if (organizationId) {
    const place = placeOf(world, projectId, organizationId);
    return holds(world, callerId, "read", place ?? { projectId: "", organizationId, projectGrantId: "nothing here" });
  }
  return entriesWith(world, callerId, "read").some(({ scope }) => {
    if ("instance" in scope || "organizationId" in scope) return true;
    if ("projectId" in scope) return scope.projectId === projectId;
    return world.projectGrants.get(scope.projectGrantId)?.projectId === projectId;
  });
}
