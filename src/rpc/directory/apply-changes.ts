import type { MethodImpl } from "@connectrpc/connect";
import type { Change } from "../../../gen/service/directory/v1/change_pb.ts";
import type { DirectoryService } from "../../../gen/service/directory/v1/directory_service_pb.ts";
import { requireDirectoryPermission } from "../../authorization/permissions.ts";
import { Refusal } from "../../authorization/refusal.ts";
import type { PlacedChange } from "../../directory/change.ts";
import type { DirectoryStore } from "../../directory/store.ts";
import { callerOf } from "../door/caller.ts";
import { toChange } from "../messages/changes.ts";

export function applyChanges(
  store: Pick<DirectoryStore, "apply">,
): MethodImpl<typeof DirectoryService.method.applyChanges> {
  return async ({ changes }, context) => {
    const caller = callerOf(context);
    requireDirectoryPermission(caller);
    await store.apply(caller.userId, changes.map(place), context.signal);
    return { applied: changes.length };
  };
}

/** Adds the position of the change to refusals. */
function place(change: Change, position: number): PlacedChange {
  try {
    return { position, change: toChange(change) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.reason, error.message, {
      ...error.metadata,
      index: String(position),
      what: error.message,
    });
  }
}
