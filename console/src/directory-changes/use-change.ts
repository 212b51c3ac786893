import { type ChangeSchema, DirectoryService } from "@authorization-service/client/directory";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useOneAtATime } from "../changes/one-at-a-time.ts";

export type Change = MessageInitShape<typeof ChangeSchema>;

/** A dry run shows what a change would do. Once the change is made, there is nothing to ask again. */
export const ofDryRun = { isDryRun: true };

/**
 * Sends changes, which are all applied or none is. Sending the same changes again is safe, because they name things by
 * their ids: so after a failure, people can simply try again.
 */
export function useChange() {
  const transport = useTransport();
  const queries = useQueryClient();
  const { isRunning, run } = useOneAtATime();
  const [failure, setFailure] = useState<unknown>();
  return {
    isRunning,
    failure,
    async change(changes: readonly Change[], reason: string, onDone: () => void) {
      await run(async () => {
        setFailure(undefined);
        try {
          await createClient(DirectoryService, transport).applyChanges({ changes: [...changes], reason });
          onDone();
        } catch (error) {
          setFailure(error);
        } finally {
          // Names, lists, histories and rights may all be different now.
          void queries.invalidateQueries({ predicate: ({ meta }) => meta?.isDryRun !== true });
        }
      });
    },
  };
}
