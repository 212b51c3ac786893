import type { MethodImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../gen/service/authorization/v2/authorization_service_pb.ts";
import { inRounds } from "../../authorization/batch.ts";
import { setStates } from "../../authorization/set-states.ts";
import type { AuthorizationStore } from "../../authorization/store.ts";
import { callerOf } from "../door/caller.ts";
import { fromInstant, toNamed, toState } from "../messages/authorizations.ts";
import { resultOf } from "./batch-result.ts";

export function batchSetState(
  store: Pick<AuthorizationStore, "change">,
): MethodImpl<typeof AuthorizationService.method.batchSetState> {
  return async ({ state, items, atomic }, context) => {
    const caller = callerOf(context);
    const named = items.map(toNamed);
    const outcomes = await store.change(caller.userId, context.signal, (change) =>
      inRounds(named, atomic, (round) => setStates(change, caller, toState(state), round, atomic)),
    );
    return { results: outcomes.map((outcome) => resultOf(outcome, (date) => ({ changeDate: fromInstant(date) }))) };
  };
}
