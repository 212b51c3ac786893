import { Code, ConnectError } from "@connectrpc/connect";
import { settings } from "../settings.ts";
import { askOtherTabs } from "./other-tabs.ts";
import { currentSession, endSession, endsWithin, onSessionChange, renewSession, type SignedIn } from "./session.ts";
import { revoke } from "./signing-in.ts";

/**
 * A token that expires within this time is renewed first, in milliseconds, to allow for the duration of calls and for
 * clocks that differ.
 */
const margin = 30_000;

let renewing: Promise<void> | undefined;

/**
 * The token of the signed-in person. An issuer's token is renewed before it expires. Throws `unauthenticated` if no one
 * is signed in, and `unavailable` if the token has expired and the issuer is unreachable.
 */
export async function tokenToCallWith(): Promise<string> {
  const session = currentSession();
  if (session.token !== undefined && isRenewedFirst(session)) {
    // Simultaneous calls wait for one renewal, because many issuers accept a refresh token only once.
    renewing ??= renew(session).finally(() => {
      renewing = undefined;
    });
    await renewing;
  }
  const { token } = currentSession();
  if (token === undefined) throw new ConnectError("no one is signed in", Code.Unauthenticated);
  return token;
}

/** Whether the next call renews the token of the session first. */
export function isRenewedFirst({ issued }: SignedIn): boolean {
  return issued !== undefined && endsWithin(issued, margin);
}

/** Ends a session when its token expires and can't be renewed, even without calls: what it showed is hidden. */
export function endExpiredSessions(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = () => {
    clearTimeout(timer);
    const session = currentSession();
    if (session.token === undefined || session.issued?.expiresAt === undefined || session.issued.refreshToken) return;
    const left = session.issued.expiresAt - Date.now();
    // Timers can't run for more than 24 days.
    if (left > 0) timer = setTimeout(watch, Math.min(left, 86_400_000));
    else endSession("expired");
  };
  onSessionChange(watch);
  watch();
}

/**
 * Many issuers accept a refresh token only once, and end the session if it is used twice. So the tabs of a session take
 * turns: one that has waited, or was asleep, gets the tokens that another one got in the meantime.
 */
async function renew({ id, token: before, issued = {} }: SignedIn): Promise<void> {
  const { oidc } = settings;
  const { refreshToken } = issued;
  const isStillInUse = () => currentSession().token === before;
  const isOver = () => isStillInUse() && endsWithin(issued, 0);
  if (oidc === undefined || refreshToken === undefined) {
    if (isOver()) endSession("expired");
    return;
  }
  try {
    await navigator.locks.request(`authorization-console.renew.${id}`, async () => {
      // Those with a newer token answer, and this tab takes it.
      if (isStillInUse()) await askOtherTabs();
      if (!isStillInUse()) return;
      const { tokenForRefreshToken } = await import("./openid.ts");
      const { token, ...next } = await tokenForRefreshToken(oidc, refreshToken);
      if (isStillInUse()) renewSession(token, next);
      // The person has signed out in the meantime, so no tab has the token.
      else if (next.refreshToken) await revoke(next.refreshToken);
    });
  } catch (error) {
    // While the token lasts, it doesn't matter that there is no other yet.
    if (!isOver()) return;
    const { name, error: code } = error as { name?: string; error?: string };
    if (name === "ErrorResponse" && code !== "server_error" && code !== "temporarily_unavailable")
      endSession("expired");
    else throw new ConnectError("the issuer of the token cannot be asked for another", Code.Unavailable);
  }
}
