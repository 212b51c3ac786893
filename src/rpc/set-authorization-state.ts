import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { HandlerContext } from "@connectrpc/connect";
import type { State } from "../authorization/authorization.ts";
import { requireSeen, requireUnchangedSince } from "../authorization/checks.ts";
import { requirePermission } from "../authorization/permissions.ts";
import type { AuthorizationStore } from "../authorization/store.ts";
import { callerOf } from "./caller.ts";
import { fromInstant, toNanoseconds } from "./messages.ts";

type Request = { readonly id: string; readonly ifUnchangedSince?: Timestamp | undefined };
type Response = { changeDate: MessageInitShape<typeof TimestampSchema> };

/** What ActivateAuthorization and DeactivateAuthorization do: one rule, two states. */
export function setAuthorizationState(
  store: Pick<AuthorizationStore, "change">,
  state: State,
): (request: Request, context: HandlerContext) => Promise<Response> {
  return async ({ id, ifUnchangedSince }, context) => {
    const caller = callerOf(context);
    const changeDate = await store.change(caller.userId, context.signal, async (change) => {
      const authorization = await requireSeen(change, caller, id);
      requirePermission(caller, "user.grant.write", authorization);
      requireUnchangedSince(authorization, ifUnchangedSince && toNanoseconds(ifUnchangedSince));
      if (authorization.state === state) return authorization.changeDate;
      return change.setState(authorization, state);
    });
    return { changeDate: fromInstant(changeDate) };
  };
}
