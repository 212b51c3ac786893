import { CallerService } from "@authorization-service/client";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { failureOf } from "../parts/failure.ts";
import { signInProblems } from "../words/session.ts";
import { beginSession, currentSession, endSession } from "./session.ts";
import type { SignedIn } from "./stored-session.ts";

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
  try {
    const user = await userOf(next.token);
    if (isStillWanted()) beginSession({ ...next, hasWorked: true, user });
  } catch (error) {
    if (!isStillWanted()) return;
    if (ConnectError.from(error).code !== Code.Unauthenticated) endSession("failed", problemOf(error));
    else endSession(next.hasWorked ? "ended" : next.issued ? "unaccepted" : "refused");
  }
}

function problemOf(error: unknown): string {
  return signInProblems.later(failureOf(error).title);
}

/** The user of a token. It is not a session yet, so nothing is shown before the service has answered. */
async function userOf(token: string): Promise<string> {
  const transport = createConnectTransport({ baseUrl: location.origin, defaultTimeoutMs: 20_000 });
  const headers = { Authorization: `Bearer ${token}` };
  return (await createClient(CallerService, transport).getCaller({}, { headers })).user?.id ?? "";
}
