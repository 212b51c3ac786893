import { CallerService } from "@authorization-service/client";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import type { AnyRouter } from "@tanstack/react-router";
import { failureOf } from "../parts/failure.ts";
import { settings } from "../settings.ts";
import { signInProblems as words } from "../words/session.ts";
import { beginSession, currentSession, type Ending, endSession, newSession, type SignedIn } from "./session.ts";

const load = () => import("./openid.ts");

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
    else endSession("failed", words.later(failureOf(error).title));
  }
}

/**
 * Goes to the issuer's sign-in page. Afterwards, the current address is shown again. Throws if the issuer is
 * unreachable.
 */
export async function leaveForIssuer(ending: Ending): Promise<void> {
  if (settings.oidc === undefined) return;
  const client = (await load()).clientOf(settings.oidc);
  const returnTo = location.pathname === "/signed-in" ? "/" : location.href.slice(location.origin.length);
  // Otherwise the issuer could send back the same person who has just signed out, or whom the service doesn't accept.
  const anew = ending === "left" || ending === "unaccepted";
  const { url } = await client.createSigninRequest({ state: returnTo, ...(anew && { prompt: "login" }) });
  location.assign(url);
}

/** Signs in a person who comes back from the issuer, and shows the previous address again. */
export async function comeBackFromIssuer(router: Pick<AnyRouter, "navigate">): Promise<void> {
  const { oidc } = settings;
  const address = location.href;
  if (location.pathname !== "/signed-in" || oidc === undefined) return;
  // Removed at once, so a reload doesn't send the code again and the history doesn't keep it.
  history.replaceState(history.state, "", location.pathname);
  const show = (href: string) => router.navigate({ href, replace: true });
  if (currentSession().token !== undefined || !/[?&]state=/.test(address)) return show("/");

  endSession("returning");
  let returnTo = "/";
  try {
    const { clientOf, issuedBy } = await load();
    const client = clientOf(oidc);
    // Throws if it did not begin in this tab.
    returnTo = String((await client.readSigninResponseState(address)).state.data);
    const { token, ...issued } = issuedBy(await client.processSigninResponse(address));
    await show(returnTo);
    await signIn(newSession(token, issued));
  } catch (error) {
    await show(returnTo);
    endSession("failed", problemOf(error, new URL(oidc.issuer).host));
  }
}

/** Forgets the token and revokes the refresh token. The issuer's own session stays, because other pages use it, too. */
export async function signOut(): Promise<void> {
  const session = currentSession();
  endSession("left");
  if (session.token !== undefined && session.issued?.refreshToken) await revoke(session.issued.refreshToken);
}

/** Revokes a refresh token that no tab uses any more. */
export async function revoke(refreshToken: string): Promise<void> {
  if (settings.oidc === undefined) return;
  try {
    await (await load()).clientOf(settings.oidc).revokeToken(refreshToken, "refresh_token");
  } catch {
    // The issuer doesn't support it, or is unavailable. The token is forgotten here anyway.
  }
}

/** Why signing in at the issuer failed, and what to do. The issuer is named by its host. */
export function problemOf(thrown: unknown, issuer: string): string {
  const { name, message, error } = thrown as Partial<Error> & { error?: unknown };
  if (name === "ErrorResponse" && typeof error === "string") {
    const told = message === undefined || message === error ? error : `${error}: ${message}`;
    return words.byCode[error]?.(issuer) ?? words.notAllowed(issuer, told);
  }
  if (!globalThis.isSecureContext) return words.insecure;
  if (message === "No matching state found in storage") return words.otherTab;
  const isAway = name === "TypeError" || name === "ErrorTimeout" || message?.startsWith("Network timed out") === true;
  return isAway ? words.away(issuer) : words.unreadable(issuer, message);
}
