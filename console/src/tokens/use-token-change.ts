import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useOneAtATime } from "../changes/one-at-a-time.ts";

/** Creates or revokes a token: one request at a time, and its failure. */
export function useTokenChange() {
  const queries = useQueryClient();
  const { isRunning, run } = useOneAtATime();
  const [failure, setFailure] = useState<unknown>();
  return {
    isRunning,
    failure,
    async change(work: () => Promise<void>) {
      await run(async () => {
        setFailure(undefined);
        try {
          await work();
        } catch (error) {
          setFailure(error);
        } finally {
          void queries.invalidateQueries();
        }
      });
    },
  };
}
