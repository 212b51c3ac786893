import type { MethodImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../gen/service/authorization/v2/authorization_service_pb.ts";
import { inRounds } from "../../authorization/batch.ts";
import { deleteAuthorizations } from "../../authorization/delete-authorizations.ts";
import type { AuthorizationStore } from "../../authorization/store.ts";
import { callerOf } from "../door/caller.ts";
import { fromInstant, toNamed } from "../messages/authorizations.ts";
import { resultOf } from "./batch-result.ts";

export function batchDeleteAuthorizations(
  store: Pick<AuthorizationStore, "change">,
): MethodImpl<typeof AuthorizationService.method.batchDeleteAuthorizations> {
  return async ({ items, atomic }, context) => {
    const caller = callerOf(context);
    const named = items.map(toNamed);
    const outcomes = await store.change(caller.userId, context.signal, (change) =>
      inRounds(named, atomic, (round) => deleteAuthorizations(change, caller, round, atomic)),
    );
    return { results: outcomes.map((outcome) => resultOf(outcome, (date) => ({ deletionDate: fromInstant(date) }))) };
  };
}
