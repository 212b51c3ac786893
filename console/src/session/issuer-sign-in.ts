import type { AnyRouter } from "@tanstack/react-router";
import { settings } from "../settings.ts";
import { currentSession, type Ending, endSession } from "./session.ts";
import { signIn } from "./sign-in-again.ts";
import { problemOf } from "./sign-in-problem.ts";
import { newSession } from "./stored-session.ts";

const load = () => import("./openid.ts");

/** Leaves for the issuer; the address in use is shown again afterwards. Throws when the issuer cannot be asked. */
export async function leaveForIssuer(ending: Ending): Promise<void> {
  if (settings.oidc === undefined) return;
  const { addressAtIssuer } = await load();
  // The issuer may know who has just left, or whom the service does not accept, and would send the same person back.
  const anew = ending === "left" || ending === "unaccepted";
  const address = await addressAtIssuer(settings.oidc, addressInUse(), anew);
  // The way back must not lead to the page that leaves at once.
  if (location.pathname === "/sign-in") location.replace(address);
  else location.assign(address);
}

/** Signs in whoever comes back from the issuer, and shows the address again that was in use before. */
export async function comeBackFromIssuer(router: Pick<AnyRouter, "navigate">): Promise<void> {
  const { oidc } = settings;
  const address = location.href;
  if (location.pathname !== "/signed-in" || oidc === undefined) return;
  // At once, so that no reload sends the code again and no history keeps it.
  history.replaceState(history.state, "", location.pathname);
  const show = (href: string) => router.navigate({ href, replace: true });
  if (currentSession().token !== undefined || !/[?&]state=/.test(address)) return show("/");

  endSession("returning");
  let returnTo = "/";
  try {
    const { whereItBegan, tokenForCode } = await load();
    returnTo = await whereItBegan(oidc, address);
    const { token, ...issued } = await tokenForCode(oidc, address);
    await show(returnTo);
    await signIn(newSession(token, issued));
  } catch (error) {
    await show(returnTo);
    endSession("failed", problemOf(error, new URL(oidc.issuer).host));
  }
}

/** Forgets the token, and makes worthless what others could be had for. The issuer's own session is for other pages too. */
export async function signOut(): Promise<void> {
  const session = currentSession();
  endSession("left");
  if (session.token !== undefined && session.issued?.refreshToken) await revoke(session.issued.refreshToken);
}

/** Makes a refresh token worthless that no tab uses any more. */
export async function revoke(refreshToken: string): Promise<void> {
  if (settings.oidc === undefined) return;
  try {
    await (await load()).revokeRefreshToken(settings.oidc, refreshToken);
  } catch {
    // The issuer does not offer it, or is away. It is forgotten here.
  }
}

function addressInUse(): string {
  return location.pathname === "/signed-in" ? "/" : location.href.slice(location.origin.length);
}
