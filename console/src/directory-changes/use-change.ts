import { ErrorInfoSchema } from "@authorization-service/client";
import {
  type ApplyChangesResponse,
  type ChangeOutcome,
  type ChangeSchema,
  DirectoryService,
  ChangeOutcome_Effect as Effect,
} from "@authorization-service/client/directory";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { reasonOf } from "../parts/failure.ts";
import { ofDryRun } from "./use-request.ts";

export type Change = MessageInitShape<typeof ChangeSchema>;

/**
 * Sends changes, which are all applied or none is, unless someone else has changed the same things since the dialog was
 * opened. Sending the same changes again is safe: if they are made already, there is nothing left to do.
 *
 * @param shown the things as the dialog shows them, if it shows any: changes that would change nothing
 * @param isNew whether the changes should only create things
 */
export function useChange(shown: readonly Change[], isNew: boolean) {
  const client = createClient(DirectoryService, useTransport());
  const queries = useQueryClient();
  const dryRun = (changes: readonly Change[]) => client.applyChanges({ changes: [...changes], dryRun: true });
  /** The version of the directory when the dialog was opened, and whether what it shows is still so. */
  const first = useQuery({
    queryKey: ["first look", useId(), JSON.stringify(shown)],
    queryFn: () => dryRun(shown),
    // Asked once. Each dialog asks for itself.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: ofDryRun,
  });
  /** What the changes would do to what others have changed in the meantime. */
  const [conflict, setConflict] = useState<ApplyChangesResponse>();
  const seen = conflict ?? first.data;

  /** Makes no change that would do what the person has not seen yet. Resolves to whether it was made. */
  async function change(changes: readonly Change[], reason: string): Promise<boolean> {
    const now = isNew
      ? await dryRun(changes)
      : (seen ?? ((await first.refetch({ cancelRefetch: false, throwOnError: true })).data as ApplyChangesResponse));
    // What is new may be made already, if an answer was lost.
    if (isNew && now.outcomes.some(({ effect }) => effect === Effect.CHANGED)) throw taken();
    if (!isNew && seen === undefined && now.outcomes.some(isDifferent)) return false;
    try {
      await client.applyChanges({ changes: [...changes], reason, ifVersion: now.version });
      return true;
    } catch (error) {
      if (reasonOf(ConnectError.from(error)) !== "DIRECTORY_CHANGED") throw error;
      const later = await dryRun(changes);
      if (!later.outcomes.some(isDifferent)) return true;
      setConflict(later);
      void queries.invalidateQueries({ predicate: ({ meta }) => meta?.isDryRun === true });
      return false;
    }
  }

  return {
    change,
    /** What the changes would do to things that someone else has changed. Empty if there are none. */
    changedMeanwhile: seen?.outcomes.filter(isDifferent) ?? [],
  };
}

function isDifferent({ effect }: ChangeOutcome): boolean {
  return effect !== Effect.NONE;
}

/** What the service would say if it created only what isn't there. */
function taken(): ConnectError {
  const detail = { desc: ErrorInfoSchema, value: { reason: "IMMUTABLE_FIELD" } };
  return new ConnectError("id: taken", Code.AlreadyExists, undefined, [detail]);
}
