import {
  type ApplyChangesResponse,
  type ChangeOutcome,
  ChangeOutcome_Effect,
  type ChangeSchema,
  DirectoryService,
} from "@authorization-service/client/directory";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { ConnectError, createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { reasonOf } from "../parts/failure.ts";
import { ofDryRun, useRequest } from "./use-request.ts";

export type Change = MessageInitShape<typeof ChangeSchema>;

/** The things as the dialog shows them, if it shows any: changes that would change nothing. */
export type Shown = readonly Change[];

const nothing: Shown = [];

/**
 * Sends changes, which are all applied or none is, unless someone else has changed the same things since the dialog was
 * opened. Sending the same changes again is safe: if they are made already, there is nothing left to do.
 *
 * @param isNew whether the changes should only create things
 */
export function useChange(shown = nothing, isNew = false) {
  const client = createClient(DirectoryService, useTransport());
  const queries = useQueryClient();
  const { isRunning, failure, request } = useRequest();
  const first = useFirstLook(shown);
  /** What certain changes would do to what others have changed or added. */
  const [conflict, setConflict] = useState<{ readonly of: string; readonly answer: ApplyChangesResponse }>();

  /** Makes no change that would do what the person has not seen yet. */
  async function send(changes: readonly Change[], reason: string): Promise<boolean> {
    const of = JSON.stringify(changes);
    const dryRun = () => client.applyChanges({ changes: [...changes], dryRun: true });
    const seen = isNew ? (conflict?.of === of ? conflict.answer : undefined) : (conflict?.answer ?? first.data);
    const answer = seen ?? (await (isNew ? dryRun() : first.ask()));
    if (seen === undefined && answer.outcomes.some(isNew ? isNotNew : isDifferent)) {
      if (isNew) setConflict({ of, answer });
      return false;
    }
    try {
      await client.applyChanges({ changes: [...changes], reason, ifVersion: answer.version });
      return true;
    } catch (error) {
      if (reasonOf(ConnectError.from(error)) !== "DIRECTORY_CHANGED") throw error;
      const now = await dryRun();
      if (!isNew && !now.outcomes.some(isDifferent)) return true;
      setConflict({ of, answer: now });
      void queries.invalidateQueries({ predicate: ({ meta }) => meta?.isDryRun === true });
      return false;
    }
  }

  return {
    isRunning,
    failure,
    /** What the changes would do to things that someone else has changed. Empty if there are none. */
    changedMeanwhile: isNew ? [] : ((conflict?.answer ?? first.data)?.outcomes.filter(isDifferent) ?? []),
    /** What changes that should only create things would overwrite. Empty if there is nothing. */
    overwritten: (changes: readonly Change[] | undefined) =>
      isNew && conflict && conflict.of === JSON.stringify(changes) ? conflict.answer.outcomes : [],
    async change(changes: readonly Change[], reason: string, onDone: () => void) {
      await request(async () => {
        if (await send(changes, reason)) onDone();
      });
    },
  };
}

/** The version of the directory when the dialog was opened, and whether what it shows is still so. */
function useFirstLook(shown: Shown) {
  const client = createClient(DirectoryService, useTransport());
  const { data, refetch } = useQuery({
    queryKey: ["first look", useId(), JSON.stringify(shown)],
    queryFn: () => client.applyChanges({ changes: [...shown], dryRun: true }),
    // Asked once. Each dialog asks for itself.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: ofDryRun,
  });
  return {
    data,
    async ask(): Promise<ApplyChangesResponse> {
      const answer = await refetch({ cancelRefetch: false });
      if (answer.data === undefined) throw answer.error;
      return answer.data;
    },
  };
}

function isDifferent({ effect }: ChangeOutcome): boolean {
  return effect !== ChangeOutcome_Effect.NONE;
}

function isNotNew({ effect }: ChangeOutcome): boolean {
  return effect !== ChangeOutcome_Effect.CREATED;
}
