import type { MethodImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../../gen/service/authorization/v2/authorization_service_pb.ts";
import { settled } from "../../authorization/batch.ts";
import { createAuthorizations } from "../../authorization/create-authorizations.ts";
import type { AuthorizationStore } from "../../authorization/store.ts";
import { callerOf } from "../door/caller.ts";
import { fromInstant } from "../messages/authorizations.ts";
import { resultOf } from "./batch-result.ts";

/** @param newId makes ids that are ordered by time */
export function batchCreateAuthorizations(
  store: Pick<AuthorizationStore, "change">,
  newId: () => string,
): MethodImpl<typeof AuthorizationService.method.batchCreateAuthorizations> {
  return async ({ items, atomic }, context) => {
    const caller = callerOf(context);
    const assignments = items.map((item) => ({ ...item, id: newId() }));
    const outcomes = await store.change(caller.userId, context.signal, async (change) =>
      settled(assignments, await createAuthorizations(change, caller, assignments, atomic), atomic),
    );
    const results = outcomes.map((outcome, index) =>
      resultOf(outcome, (date) => ({ id: assignments[index]?.id ?? "", creationDate: fromInstant(date) })),
    );
    return { results };
  };
}
