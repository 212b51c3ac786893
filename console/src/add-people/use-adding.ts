import { DirectoryService } from "@authorization-service/client/directory";
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useOneAtATime } from "../changes/one-at-a-time.ts";
import { ofDryRun } from "../directory-changes/use-request.ts";
import { type Batch, changeOf } from "./send.ts";

type Told = {
  /** Called with the number of people. */
  readonly onDone: (count: number) => void;
  /** Who is there may be different now. */
  readonly onFailed: () => void;
};

/**
 * Adds people request by request. Each request adds all of its people or none. The ids stay the same, so after a failure
 * it is safe to try again: people who are there already are not added twice.
 */
export function useAdding(organizationId: string, { onDone, onFailed }: Told) {
  const transport = useTransport();
  const queries = useQueryClient();
  const { isRunning, run } = useOneAtATime();
  const [done, setDone] = useState(0);
  const [failure, setFailure] = useState<unknown>();

  async function add(batches: readonly Batch[], reason: string) {
    await run(async () => {
      const client = createClient(DirectoryService, transport);
      setFailure(undefined);
      setDone(0);
      let count = 0;
      try {
        for (const { lines, version } of batches) {
          const changes = lines.map((line) => changeOf(line, organizationId));
          await client.applyChanges({ changes, reason, ifVersion: version });
          count += lines.length;
          setDone(count);
        }
        onDone(count);
      } catch (error) {
        setFailure(error);
        onFailed();
      } finally {
        void queries.invalidateQueries({ predicate: ({ meta }) => meta?.isDryRun !== ofDryRun.isDryRun });
      }
    });
  }

  return { isRunning, done, failure, add };
}
