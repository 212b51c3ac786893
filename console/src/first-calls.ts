import { AuthorizationService, CallerService } from "@authorization-service/client";
import type { DescMessage, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { readValue } from "./address.ts";
import { filtersOf, readAssignmentsSearch, requestOf } from "./assignments/search.ts";
import { currentSession } from "./session/session.ts";
import { isRenewedFirst } from "./session/token-to-call-with.ts";
import { early } from "./session/transport.ts";

export type FirstCall = { readonly method: DescMethodUnary; readonly request: MessageInitShape<DescMessage> };

/** Begins the calls that the first view makes, and answers which. */
export function beginFirstCalls(): readonly FirstCall[] {
  const calls = firstCalls();
  for (const { method, request } of calls) early.begin(method, request);
  return calls;
}

function firstCalls(): FirstCall[] {
  const session = currentSession();
  // Before renewing a token, this tab has to ask the others, and it doesn't listen to them yet.
  if (session.token === undefined || isRenewedFirst(session)) return [];
  const calls: FirstCall[] = [{ method: CallerService.method.getCaller, request: {} }];
  if (location.pathname !== "/" && location.pathname !== "/assignments") return calls;
  try {
    const search = readAssignmentsSearch(parameters(location.search));
    const request = requestOf(search, filtersOf(search));
    return [...calls, { method: AuthorizationService.method.listAuthorizations, request }];
  } catch {
    // The view reports what it can't read.
    return calls;
  }
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
