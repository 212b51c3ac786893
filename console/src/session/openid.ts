import { OidcClient, type SigninResponse, WebStorageStateStore } from "oidc-client-ts";
import type { OidcSettings } from "../settings.ts";
import type { Issued } from "./stored-session.ts";

/**
 * The code flow with PKCE; oidc-client-ts makes and checks state, nonce and verifier. Only src/session imports this, and
 * only when somebody signs in this way: the library is not part of the first view.
 */

export type IssuedToken = Issued & { readonly token: string };

/** Where the issuer sends people back to; its client has to be registered with exactly this. */
export const redirectPath = "/signed-in";

/**
 * The address at the issuer to go to.
 *
 * @param returnTo the address of the page to show afterwards; it stays in this tab
 * @param anew makes the issuer ask who it is, even where it knows somebody
 */
export async function addressAtIssuer(oidc: OidcSettings, returnTo: string, anew: boolean): Promise<string> {
  const request = await clientOf(oidc).createSigninRequest({ state: returnTo, ...(anew && { prompt: "login" }) });
  return request.url;
}

/** Where the person was when the sign-in was begun that this address ends; throws when it was not begun in this tab. */
export async function whereItBegan(oidc: OidcSettings, address: string): Promise<string> {
  const { state } = await clientOf(oidc).readSigninResponseState(address);
  return String(state.data);
}

/** Exchanges the code in the address. Throws an ErrorResponse when the issuer refuses. */
export async function tokenForCode(oidc: OidcSettings, address: string): Promise<IssuedToken> {
  return issuedBy(await clientOf(oidc).processSigninResponse(address));
}

/** Throws an ErrorResponse when the issuer refuses. */
export async function tokenForRefreshToken(oidc: OidcSettings, refreshToken: string): Promise<IssuedToken> {
  const state = { refresh_token: refreshToken, session_state: null, profile: noClaims };
  const resource = resourceOf(oidc);
  const answer = await clientOf(oidc).useRefreshToken({ state, ...(resource && { resource }) });
  // An issuer that does not rotate refresh tokens answers with none.
  return { refreshToken, ...issuedBy(answer) };
}

/** Makes a refresh token worthless, where the issuer offers that. */
export async function revokeRefreshToken(oidc: OidcSettings, refreshToken: string): Promise<void> {
  await clientOf(oidc).revokeToken(refreshToken, "refresh_token");
}

function clientOf(oidc: OidcSettings): OidcClient {
  const resource = resourceOf(oidc);
  return new OidcClient({
    authority: oidc.issuer,
    client_id: oidc.clientId,
    redirect_uri: location.origin + redirectPath,
    scope: oidc.scopes,
    stateStore: new WebStorageStateStore({ prefix: "authorization-console.openid.", store: sessionStorage }),
    requestTimeoutInSeconds: 15,
    // Issuers that make a JWT only for an audience they were asked for are asked by one of these two.
    extraQueryParams: { audience: oidc.audience },
    ...(resource && { resource, extraTokenParams: { resource } }),
  });
}

/** By RFC 8707 a resource is a URL. Some issuers refuse one with another scheme than a server's. */
function resourceOf({ audience }: OidcSettings): string | undefined {
  return /^https?:\/\/[^#]+$/.test(audience) ? audience : undefined;
}

function issuedBy({ access_token: token, expires_at: expiresAt, refresh_token: refreshToken }: SigninResponse) {
  return {
    token,
    ...(expiresAt !== undefined && { expiresAt: expiresAt * 1000 }),
    ...(refreshToken && { refreshToken }),
  };
}

/** What the issuer says of the person is not used: the service says who is signed in. */
const noClaims = { sub: "", iss: "", aud: "", exp: 0, iat: 0 };
