import type { MethodImpl } from "@connectrpc/connect";
import type { DirectoryService } from "../../../gen/service/directory/v1/directory_service_pb.ts";
import { newActor } from "../../authorization/actor.ts";
import { requireAnyDirectoryPermission } from "../../authorization/permissions.ts";
import type { DirectoryStore } from "../../directory/store.ts";
import { callerOf } from "../door/caller.ts";
import type { Counting } from "../door/counting.ts";
import { toChange } from "../messages/changes.ts";
import { fromAnswer } from "../messages/outcomes.ts";

/**
 * How many requests of one caller a server works on at a time. The changes of one caller often wait for the same locks.
 * Without a limit, they would hold all connections to Postgres meanwhile. Dry runs wait for no lock, but cost Postgres as
 * much, so they count, too. The second one uses the time that the first one spends between its statements.
 */
const mostAtOnce = 2;

export function applyChanges(
  store: Pick<DirectoryStore, "apply">,
  { turns }: Pick<Counting, "turns">,
): MethodImpl<typeof DirectoryService.method.applyChanges> {
  const inTurn = turns(mostAtOnce);
  return async ({ changes, dryRun, ifVersion, reason }, context) => {
    const caller = callerOf(context);
    requireAnyDirectoryPermission(caller);
    const placed = changes.map((change, position) => ({ position, change: toChange(change) }));
    const actor = newActor(caller.userId, reason);
    const request = { actor, changes: placed, dryRun, ifVersion: ifVersion === "" ? undefined : ifVersion };
    const { answer, version } = await inTurn(caller.userId, context.signal, () => store.apply(request, context.signal));
    return { ...fromAnswer(answer), version };
  };
}
