import type { ConnectError } from "@connectrpc/connect";
import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";

/** What a view shows of what it asks. */
export type Shown<Answer> = {
  readonly answer: Answer | undefined;
  /** Whether the answer is that to the question before, while the next is on its way. */
  readonly isOutdated: boolean;
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
  const failure = error ?? (!isAnswered && failed?.at === errorUpdatedAt ? failed.error : null);
  return {
    answer: failure !== null && isPlaceholderData ? undefined : data,
    isOutdated: isPlaceholderData && failure === null,
    failure,
  };
}
