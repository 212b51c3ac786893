import type { MethodImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../gen/service/authorization/v2/authorization_service_pb.ts";
import { deleteAuthorizations } from "../../authorization/delete-authorizations.ts";
import { requireOne } from "../../authorization/steps.ts";
import type { AuthorizationStore } from "../../authorization/store.ts";
import { callerOf } from "../door/caller.ts";
import { fromInstant, toNamed } from "../messages/authorizations.ts";

export function deleteAuthorization(
  store: Pick<AuthorizationStore, "change">,
): MethodImpl<typeof AuthorizationService.method.deleteAuthorization> {
  return async (request, context) => {
    const caller = callerOf(context);
    const deletionDate = await store.change(caller.userId, context.signal, async (change) =>
      requireOne(await deleteAuthorizations(change, caller, [toNamed(request)])),
    );
    return { deletionDate: fromInstant(deletionDate) };
  };
}
