import { AuthorizationService, CallerService } from "@authorization-service/client";
import { readValue } from "./address.ts";
import { filtersOf, readAssignmentsSearch, requestOf } from "./assignments/search.ts";
import { currentSession } from "./session/session.ts";
import { isRenewedFirst } from "./session/token-to-call-with.ts";
import { early } from "./session/transport.ts";

/** Begins the calls that the first view makes. */
export function beginFirstCalls(): void {
  const session = currentSession();
  // Before renewing a token, this tab has to ask the others, and it doesn't listen to them yet.
  if (session.token === undefined || isRenewedFirst(session)) return;
  early.begin(CallerService.method.getCaller, {});
  if (location.pathname !== "/") return;
  try {
    const search = readAssignmentsSearch(parameters(location.search));
    early.begin(AuthorizationService.method.listAuthorizations, requestOf(search, filtersOf(search)));
  } catch {
    // The view reports what it can't read.
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
