import type { ConnectError } from "@connectrpc/connect";
import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { isUnreachable } from "./failure.ts";

/** What a view shows of its query. */
export type Shown<Answer> = {
  readonly answer: Answer | undefined;
  /** Whether the answer belongs to the previous request, while the next one is loading. */
  readonly isOutdated: boolean;
  /** Whether the server can't be reached, and this is its last answer. */
  readonly isOld: boolean;
  /** What to show in place of the answer. */
  readonly failure: ConnectError | null;
};

/**
 * What to show of a query that keeps the previous answer until the next one arrives. A failure stays until there is an
 * answer. TanStack Query forgets it while it asks again, and would show the answer to another request in the meantime.
 */
export function useShown<Answer>(query: UseQueryResult<Answer, ConnectError>): Shown<Answer> {
  const { data, error, errorUpdatedAt, isPlaceholderData } = query;
  const [failed, setFailed] = useState<{ at: number; error: ConnectError }>();
  if (error !== null && failed?.at !== errorUpdatedAt) setFailed({ at: errorUpdatedAt, error });
  const isAnswered = data !== undefined && !isPlaceholderData;
  const lasting = error ?? (!isAnswered && failed?.at === errorUpdatedAt ? failed.error : null);
  const isOld = lasting !== null && isAnswered && isUnreachable(lasting);
  return {
    answer: lasting !== null && isPlaceholderData ? undefined : data,
    isOutdated: isPlaceholderData && lasting === null,
    isOld,
    failure: isOld ? null : lasting,
  };
}
