import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { HandlerContext } from "@connectrpc/connect";
import type { State } from "../../authorization/authorization.ts";
import { setStates } from "../../authorization/set-states.ts";
import { requireOne } from "../../authorization/steps.ts";
import type { AuthorizationStore } from "../../authorization/store.ts";
import { callerOf } from "../door/caller.ts";
import { fromInstant, toNamed } from "../messages/authorizations.ts";

type Request = { readonly id: string; readonly ifUnchangedSince?: Timestamp | undefined };
type Response = { changeDate: MessageInitShape<typeof TimestampSchema> };

/** What ActivateAuthorization and DeactivateAuthorization do: one rule, two states. */
export function setAuthorizationState(
  store: Pick<AuthorizationStore, "change">,
  state: State,
): (request: Request, context: HandlerContext) => Promise<Response> {
  return async (request, context) => {
    const caller = callerOf(context);
    const changeDate = await store.change(caller.userId, context.signal, async (change) =>
      requireOne(await setStates(change, caller, state, [toNamed(request)])),
    );
    return { changeDate: fromInstant(changeDate) };
  };
}
