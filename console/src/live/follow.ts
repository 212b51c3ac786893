import { type AuthorizationEvent, AuthorizationHistoryService } from "@authorization-service/client";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import type { EventFilter } from "../history/request.ts";
import { waitAfter } from "../session/queries.ts";

/**
 * @param mustRepeat whether lists must be loaded again, because no events tell what is different: the person's rights have
 *   changed, or a stream could not be continued
 */
type Hear = (events: readonly AuthorizationEvent[], mustRepeat: boolean) => void;

/** A server that refuses streams so often is left alone until the page is opened or shown again. */
const mostFailures = 5;

/** Nothing can be followed with these: the next call tells the person why. */
const final = new Set([Code.Unauthenticated, Code.PermissionDenied, Code.Unimplemented, Code.NotFound]);

/**
 * Follows changes of assignments while the page is visible, by one stream. Without one, because the server is busy or a
 * proxy in between lets none through, nothing is told.
 *
 * @returns a function to stop
 */
export function followWhileVisible(transport: Transport, filters: () => EventFilter[], hear: Hear): () => void {
  let following: AbortController | undefined;
  const look = () => {
    if (document.visibilityState === "hidden") {
      following?.abort();
      following = undefined;
    } else if (following === undefined) {
      following = new AbortController();
      void follow(transport, filters, hear, following.signal);
    }
  };
  look();
  document.addEventListener("visibilitychange", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    following?.abort();
  };
}

async function follow(
  transport: Transport,
  filtersOf: () => EventFilter[],
  hear: Hear,
  signal: AbortSignal,
): Promise<void> {
  const client = createClient(AuthorizationHistoryService, transport);
  const filters = filtersOf();
  let resumeToken = "";
  let isBehind = false;
  for (let failures = 0; failures < mostFailures && !signal.aborted; ) {
    let wait = 1_000;
    try {
      const start = resumeToken === "" ? {} : { start: { case: "resumeToken" as const, value: resumeToken } };
      // A stream has no end. Heartbeats and the server's own limits tell when it does.
      for await (const message of client.watchAuthorizations({ filters, ...start }, { signal, timeoutMs: 0 })) {
        failures = 0;
        resumeToken = message.resumeToken;
        const mustRepeat = isBehind || message.rightsChanged;
        isBehind = false;
        if (message.events.length > 0 || mustRepeat) hear(message.events, mustRepeat);
      }
    } catch (error) {
      const failure = ConnectError.from(error);
      if (final.has(failure.code)) return;
      if (failure.code === Code.FailedPrecondition || failure.code === Code.InvalidArgument) {
        resumeToken = "";
        isBehind = true;
      }
      failures += 1;
      wait = waitAfter(failure);
    }
    await new Promise<void>((resolve) => {
      setTimeout(resolve, wait);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}
