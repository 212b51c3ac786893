import type { MethodImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../gen/service/authorization/v2/authorization_service_pb.ts";
import { requireOne } from "../../authorization/steps.ts";
import type { AuthorizationStore } from "../../authorization/store.ts";
import { updateAuthorizations } from "../../authorization/update-authorizations.ts";
import { callerOf } from "../door/caller.ts";
import { fromInstant, toUpdate } from "../messages/authorizations.ts";

export function updateAuthorization(
  store: Pick<AuthorizationStore, "change">,
): MethodImpl<typeof AuthorizationService.method.updateAuthorization> {
  return async (request, context) => {
    const caller = callerOf(context);
    const changeDate = await store.change(caller.userId, context.signal, async (change) =>
      requireOne(await updateAuthorizations(change, caller, [toUpdate(request)])),
    );
    return { changeDate: fromInstant(changeDate) };
  };
}
