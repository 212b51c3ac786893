import { DirectoryService } from "@authorization-service/client/directory";
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useState } from "react";
import { useRequest } from "../directory-changes/use-request.ts";
import { passOver } from "../undo/undoables.ts";
import type { Person } from "./lines.ts";
import { type Batch, changeOf } from "./send.ts";

type Told = {
  readonly onDone: (people: readonly Person[]) => void;
  /** Who is there may be different now. */
  readonly onFailed: () => void;
};

/**
 * Adds people request by request. Each request adds all of its people or none. The ids stay the same, so after a failure
 * it is safe to try again: people who are there already are not added twice.
 */
export function useAdding(organizationId: string, { onDone, onFailed }: Told) {
  const client = createClient(DirectoryService, useTransport());
  const { isRunning, failure, request } = useRequest();
  const [done, setDone] = useState(0);

  async function send(batches: readonly Batch[], reason: string) {
    let count = 0;
    setDone(count);
    for (const { lines, version } of batches) {
      const changes = lines.map((line) => changeOf(line, organizationId));
      await client.applyChanges({ changes, reason, ifVersion: version });
      count += lines.length;
      setDone(count);
      passOver();
    }
    onDone(batches.flatMap(({ lines }) => lines.map(({ person }) => person)));
  }

  return {
    isRunning,
    done,
    failure,
    async add(batches: readonly Batch[], reason: string) {
      await request(async () => {
        try {
          await send(batches, reason);
        } catch (error) {
          onFailed();
          throw error;
        }
      });
    },
  };
}
