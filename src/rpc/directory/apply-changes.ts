import type { MethodImpl } from "@connectrpc/connect";
import type { DirectoryService } from "../../../gen/service/directory/v1/directory_service_pb.ts";
import { requireAnyDirectoryPermission } from "../../authorization/permissions.ts";
import type { DirectoryStore } from "../../directory/store.ts";
import type { FairQueue } from "../../limits/fair-queue.ts";
import { actorOf, callerOf } from "../call.ts";
import { toChange } from "../messages/changes.ts";
import { fromAnswer } from "../messages/outcomes.ts";

export function applyChanges(
  store: Pick<DirectoryStore, "apply">,
  turns: FairQueue,
): MethodImpl<typeof DirectoryService.method.applyChanges> {
  return async ({ changes, dryRun, ifVersion, reason }, context) => {
    const caller = callerOf(context);
    requireAnyDirectoryPermission(caller);
    const placed = changes.map((change, position) => ({ position, change: toChange(change) }));
    const actor = actorOf(context, reason);
    const request = { actor, changes: placed, dryRun, ifVersion: ifVersion === "" ? undefined : ifVersion };
    const end = await turns.take(caller.userId, context.signal);
    try {
      const { answer, version } = await store.apply(request, context.signal);
      return { ...fromAnswer(answer), version };
    } finally {
      end();
    }
  };
}
