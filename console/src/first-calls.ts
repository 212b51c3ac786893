import { AuthorizationService, CallerService } from "@authorization-service/client";
import type { DescMessage, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { createQueryOptions } from "@connectrpc/connect-query";
import type { QueryClient } from "@tanstack/react-query";
import { readValue } from "./address.ts";
import { filtersOf, readAssignmentsSearch, requestOf } from "./assignments/search.ts";
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

  function begin<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
  ) {
    void queries.prefetchQuery(createQueryOptions(method, request, { transport }));
  }
  begin(CallerService.method.getCaller, {});
  if (location.pathname !== "/" && location.pathname !== "/assignments") return queries;
  try {
    const search = readAssignmentsSearch(parameters(location.search));
    begin(AuthorizationService.method.listAuthorizations, requestOf(search, filtersOf(search)));
  } catch {
    // The view reports what it can't read.
  }
  return queries;
}

/** The router reads them in the same way, but takes longer to load. */
function parameters(text: string): Record<string, unknown> {
  const read = ([name, value]: [string, string]) => {
    try {
      return [name, readValue(value)];
    } catch {
      return [name, value];
    }
  };
  return Object.fromEntries([...new URLSearchParams(text)].map(read));
}
