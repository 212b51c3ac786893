import {
  type AdministratorEntry,
  DirectoryService,
  ChangeOutcome_Effect as Effect,
} from "@authorization-service/client/directory";
import { createClient, type Transport } from "@connectrpc/connect";
import { isUncertain } from "../changes/uncertain.ts";
import { placeOf } from "../directory-changes/entry-place.ts";
import { failureOf } from "../parts/failure.ts";
import { offboardWords } from "../words/offboard.ts";
import { undoWords } from "../words/undo.ts";

/** Gives administrator roles back, but only where no one has given others since. Resolves to why that failed. */
export async function restoreEntries(
  transport: Transport,
  entries: readonly AdministratorEntry[],
  reason: string,
): Promise<string | undefined> {
  if (entries.length === 0) return undefined;
  const client = createClient(DirectoryService, transport);
  const changes = entries.flatMap(({ user, scope, roles }) => {
    const place = placeOf(scope);
    const value = place && { userId: user?.id ?? "", scope: place.scope, roles };
    return value ? [{ change: { case: "administrator" as const, value } }] : [];
  });
  try {
    const { outcomes, version } = await client.applyChanges({ changes, dryRun: true });
    const wanted = changes.filter((_, at) => outcomes[at]?.effect === Effect.CREATED);
    if (wanted.length > 0) await client.applyChanges({ changes: wanted, reason, ifVersion: version });
    return undefined;
  } catch (error) {
    const { title, advice } = failureOf(error);
    return offboardWords.notUndone(isUncertain(error) ? undoWords.uncertain : `${title}. ${advice}`);
  }
}
