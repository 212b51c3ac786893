import { AuthorizationService, CallerService } from "@authorization-service/client";
import { createQueryOptions } from "@connectrpc/connect-query";
import type { QueryClient } from "@tanstack/react-query";
import { requestOf } from "./assignments/search.ts";
import { queryClient } from "./session/queries.ts";
import { currentSession } from "./session/session.ts";
import { isRenewedFirst } from "./session/token-to-call-with.ts";
import { transport } from "./session/transport.ts";

/** Begins the queries of the first view. The view that comes later waits for their answers instead of asking again. */
export function beginFirstCalls(): QueryClient {
  const queries = queryClient();
  const session = currentSession();
  // Before renewing a token, this tab has to ask the others, and it doesn't listen to them yet.
  if (session.token === undefined || isRenewedFirst(session)) return queries;

  void queries.prefetchQuery(createQueryOptions(CallerService.method.getCaller, {}, { transport }));
  // With parameters, the list is another one, which the router reads.
  if ((location.pathname === "/" || location.pathname === "/assignments") && location.search === "") {
    const { listAuthorizations } = AuthorizationService.method;
    void queries.prefetchQuery(createQueryOptions(listAuthorizations, requestOf({}, []), { transport }));
  }
  return queries;
}
