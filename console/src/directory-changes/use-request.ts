import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useOneAtATime } from "../changes/one-at-a-time.ts";

/** A dry run shows what a change would do. Once the change is made, there is nothing to ask again. */
export const ofDryRun = { isDryRun: true };

/** Makes one request at a time, keeps its failure, and lets the page ask again afterwards. */
export function useRequest() {
  const queries = useQueryClient();
  const { isRunning, run } = useOneAtATime();
  const [failure, setFailure] = useState<unknown>();
  return {
    isRunning,
    failure,
    async request(work: () => Promise<void>) {
      await run(async () => {
        setFailure(undefined);
        try {
          await work();
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
