import { CallerService } from "@authorization-service/client";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { failureOf } from "../parts/failure.ts";
import { signInProblems } from "../words/session.ts";
import { beginSession, currentSession, endSession, type SignedIn } from "./session.ts";

/**
 * Signs a person in. If a view is kept, the service first says who it is. The same user gets the view back; for anyone
 * else it is dropped before anything is shown.
 */
export async function signIn(next: SignedIn): Promise<void> {
  const before = currentSession();
  if (before.token !== undefined || before.keptFor === undefined) return beginSession(next);

  endSession("checking");
  const checking = currentSession();
  const isStillWanted = () => currentSession() === checking;
  // It is not the session yet, so nothing is shown before the service has answered.
  const transport = createConnectTransport({ baseUrl: location.origin, defaultTimeoutMs: 20_000 });
  const headers = { Authorization: `Bearer ${next.token}` };
  try {
    const { user } = await createClient(CallerService, transport).getCaller({}, { headers });
    if (isStillWanted()) beginSession({ ...next, hasWorked: true, user: user?.id ?? "" });
  } catch (error) {
    if (!isStillWanted()) return;
    const isRefused = ConnectError.from(error).code === Code.Unauthenticated;
    if (isRefused) endSession(next.hasWorked ? "ended" : next.issued ? "unaccepted" : "refused");
    else endSession("failed", signInProblems.later(failureOf(error).title));
  }
}
