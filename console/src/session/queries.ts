import { Code, ConnectError } from "@connectrpc/connect";
import { QueryClient } from "@tanstack/react-query";
import { isUnreachable } from "../parts/failure.ts";

/** What an unreachable server is asked again after, in milliseconds. */
const patience = 3_000;

/**
 * Answers are shown while newer ones are fetched, and never kept as if they were current: each view asks again when it
 * is opened or looked at again.
 */
export function queryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 0,
        // The views say that the server is away, and go on asking, instead of retrying out of sight.
        retry: (count, error) => count < 1 && ConnectError.from(error).code === Code.Aborted,
        networkMode: "always",
        refetchInterval: (query) => query.state.error !== null && isUnreachable(query.state.error) && patience,
      },
      // A change is never sent twice by itself.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
