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
 */
export function useChange(shown = nothing, isNew = false) {
  const client = createClient(DirectoryService, useTransport());
  const queries = useQueryClient();
  const { isRunning, failure, request } = useRequest();
  const first = useFirstLook(shown);
  const [conflict, setConflict] = useState<ApplyChangesResponse>();
  /** What new things would overwrite, and which changes would do that. */
  const [taken, setTaken] = useState<{ of: string; answer: ApplyChangesResponse }>();

  /** Sends changes that should only create things, unless some exist already and the person has not seen that. */
  async function sendNew(changes: readonly Change[], reason: string): Promise<boolean> {
    const of = JSON.stringify(changes);
    const seen = taken?.of === of ? taken.answer : undefined;
    const answer = seen ?? (await client.applyChanges({ changes: [...changes], dryRun: true }));
    if (seen === undefined && answer.outcomes.some(({ effect }) => effect !== ChangeOutcome_Effect.CREATED)) {
      setTaken({ of, answer });
      return false;
    }
    try {
      await client.applyChanges({ changes: [...changes], reason, ifVersion: answer.version });
      return true;
    } catch (error) {
      if (reasonOf(ConnectError.from(error)) !== "DIRECTORY_CHANGED") throw error;
      setTaken({ of, answer: await client.applyChanges({ changes: [...changes], dryRun: true }) });
      return false;
    }
  }

  async function send(changes: readonly Change[], reason: string): Promise<boolean> {
    const seen = conflict ?? first.data;
    const { version, outcomes } = seen ?? (await first.ask());
    // The person has not seen this yet.
    if (seen === undefined && outcomes.some(isDifferent)) return false;
    try {
      await client.applyChanges({ changes: [...changes], reason, ifVersion: version });
      return true;
    } catch (error) {
      if (reasonOf(ConnectError.from(error)) !== "DIRECTORY_CHANGED") throw error;
      const now = await client.applyChanges({ changes: [...changes], dryRun: true });
      if (!now.outcomes.some(isDifferent)) return true;
      setConflict(now);
      void queries.invalidateQueries({ predicate: ({ meta }) => meta?.isDryRun === true });
      return false;
    }
  }

  return {
    isRunning,
    failure,
    /** What the changes would do to things that someone else has changed. Empty if there are none. */
    changedMeanwhile: (conflict ?? first.data)?.outcomes.filter(isDifferent) ?? [],
    /** What changes that should only create things would overwrite. Empty if there is nothing. */
    overwritten: (changes: readonly Change[] | undefined) =>
      taken !== undefined && taken.of === JSON.stringify(changes) ? taken.answer.outcomes : [],
    async change(changes: readonly Change[], reason: string, onDone: () => void) {
      await request(async () => {
        if (await (isNew ? sendNew : send)(changes, reason)) onDone();
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
