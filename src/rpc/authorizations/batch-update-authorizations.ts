import type { MethodImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../gen/service/authorization/v2/authorization_service_pb.ts";
import { inRounds } from "../../authorization/batch.ts";
import type { AuthorizationStore } from "../../authorization/store.ts";
import { updateAuthorizations } from "../../authorization/update-authorizations.ts";
import { callerOf } from "../door/caller.ts";
import { fromInstant, toUpdate } from "../messages/authorizations.ts";
import { resultOf } from "./batch-result.ts";

export function batchUpdateAuthorizations(
  store: Pick<AuthorizationStore, "change">,
): MethodImpl<typeof AuthorizationService.method.batchUpdateAuthorizations> {
  return async ({ items, atomic }, context) => {
    const caller = callerOf(context);
    const updates = items.map(toUpdate);
    const outcomes = await store.change(caller.userId, context.signal, (change) =>
      inRounds(updates, atomic, (round) => updateAuthorizations(change, caller, round, atomic)),
    );
    return { results: outcomes.map((outcome) => resultOf(outcome, (date) => ({ changeDate: fromInstant(date) }))) };
  };
}
