import type { MethodImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import type { Instant } from "../authorization/authorization.ts";
import { notFound, requireUnchangedSince } from "../authorization/checks.ts";
import { type Caller, holdsPermission, requirePermission, visibilityOf } from "../authorization/permissions.ts";
import type { AuthorizationChange, AuthorizationStore } from "../authorization/store.ts";
import { callerOf } from "./caller.ts";
import { fromInstant, toNanoseconds } from "./messages.ts";

export function deleteAuthorization(
  store: Pick<AuthorizationStore, "change">,
): MethodImpl<typeof AuthorizationService.method.deleteAuthorization> {
  return async ({ id, ifUnchangedSince }, context) => {
    const caller = callerOf(context);
    const deletionDate = await store.change(caller.userId, context.signal, async (change) => {
      const authorization = await change.lockVisible(visibilityOf(caller), id);
      if (authorization === undefined) return dateOfRemoval(change, caller, id);
      requirePermission(caller, "user.grant.delete", authorization);
      requireUnchangedSince(authorization, ifUnchangedSince && toNanoseconds(ifUnchangedSince));
      return change.remove(authorization);
    });
    return { deletionDate: fromInstant(deletionDate) };
  };
}

/** Deleting again succeeds, for whoever holds the permission today where the authorization was. */
async function dateOfRemoval(change: AuthorizationChange, caller: Caller, id: string): Promise<Instant> {
  const removed = await change.findRemoved(id);
  if (removed === undefined || !holdsPermission(caller, "user.grant.delete", removed)) throw notFound();
  return removed.removalDate;
}
