import type { MethodImpl } from "@connectrpc/connect";
import type { DirectoryService } from "../../../gen/service/directory/v1/directory_service_pb.ts";
import { newActor } from "../../authorization/actor.ts";
import { requireAnyDirectoryPermission } from "../../authorization/permissions.ts";
import type { DirectoryStore } from "../../directory/store.ts";
import { callerOf } from "../door/caller.ts";
import { toChange } from "../messages/changes.ts";
import { fromAnswer } from "../messages/outcomes.ts";

export function applyChanges(
  store: Pick<DirectoryStore, "apply">,
): MethodImpl<typeof DirectoryService.method.applyChanges> {
  return async ({ changes, dryRun, reason }, context) => {
    const caller = callerOf(context);
    requireAnyDirectoryPermission(caller);
    const placed = changes.map((change, position) => ({ position, change: toChange(change) }));
    return fromAnswer(
      await store.apply({ actor: newActor(caller.userId, reason), changes: placed, dryRun }, context.signal),
    );
  };
}
