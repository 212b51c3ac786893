import type { MethodImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../gen/service/authorization/v2/authorization_service_pb.ts";
import { createAuthorizations } from "../../authorization/create-authorizations.ts";
import { requireOne } from "../../authorization/steps.ts";
import type { AuthorizationStore } from "../../authorization/store.ts";
import { callerOf } from "../door/caller.ts";
import { fromInstant } from "../messages/authorizations.ts";

/** @param newId makes ids that are ordered by time */
export function createAuthorization(
  store: Pick<AuthorizationStore, "change">,
  newId: () => string,
): MethodImpl<typeof AuthorizationService.method.createAuthorization> {
  return async (request, context) => {
    const caller = callerOf(context);
    const assignment = { ...request, id: newId() };
    const creationDate = await store.change(caller.userId, context.signal, async (change) =>
      requireOne(await createAuthorizations(change, caller, [assignment])),
    );
    return { id: assignment.id, creationDate: fromInstant(creationDate) };
  };
}
