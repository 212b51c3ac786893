import type { ConnectError } from "@connectrpc/connect";
import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { isUnreachable } from "./failure.ts";

/** What a view shows of what it asks. */
export type Shown<Answer> = {
  readonly answer: Answer | undefined;
  /** Whether the answer is that to the question before, while the next is on its way. */
  readonly isOutdated: boolean;
  /** Whether the server cannot be reached, and the answer is what it said last. */
  readonly isOld: boolean;
  /** What stands in place of the answer. */
  readonly failure: ConnectError | null;
};

/**
 * What to show of a query that keeps the answer before until the next one comes. A failure stays until there is an
 * answer: TanStack Query forgets it while it asks again, and would show the answer to another question meanwhile.
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
