import { OidcClient, type SigninResponse, WebStorageStateStore } from "oidc-client-ts";
import type { OidcSettings } from "../settings.ts";
import type { Issued } from "./session.ts";

/**
 * The code flow with PKCE. oidc-client-ts creates and checks state, nonce and verifier. Only src/session imports this
 * file, and only when someone signs in this way, because the library is not part of the first view.
 */

export type IssuedToken = Issued & { readonly token: string };

/** The redirect URI. The client must be registered at the issuer with exactly this URI. */
export const redirectPath = "/signed-in";

/**
 * The issuer's address to go to.
 *
 * @param returnTo the address to show afterwards; it stays in this tab
 * @param anew makes the issuer ask who it is, even if someone is signed in there
 */
export async function addressAtIssuer(oidc: OidcSettings, returnTo: string, anew: boolean): Promise<string> {
  const request = await clientOf(oidc).createSigninRequest({ state: returnTo, ...(anew && { prompt: "login" }) });
  return request.url;
}

/** The address where the sign-in was started that this address completes. Throws if it was not started in this tab. */
export async function whereItBegan(oidc: OidcSettings, address: string): Promise<string> {
  const { state } = await clientOf(oidc).readSigninResponseState(address);
  return String(state.data);
}

/** Exchanges the code in the address for tokens. Throws an ErrorResponse if the issuer refuses. */
export async function tokenForCode(oidc: OidcSettings, address: string): Promise<IssuedToken> {
  return issuedBy(await clientOf(oidc).processSigninResponse(address));
}

/** Throws an ErrorResponse if the issuer refuses. */
export async function tokenForRefreshToken(oidc: OidcSettings, refreshToken: string): Promise<IssuedToken> {
  const state = { refresh_token: refreshToken, session_state: null, profile: noClaims };
  const resource = resourceOf(oidc);
  const answer = await clientOf(oidc).useRefreshToken({ state, ...(resource && { resource }) });
  // Issuers that don't rotate refresh tokens return none.
  return { refreshToken, ...issuedBy(answer) };
}

/** Revokes a refresh token, if the issuer supports that. */
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
    // Some issuers create JWTs only for a requested audience. They take it from one of these two.
    extraQueryParams: { audience: oidc.audience },
    ...(resource && { resource, extraTokenParams: { resource } }),
  });
}

/** In RFC 8707, a resource is a URL. Some issuers refuse schemes other than http and https. */
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

/** The issuer's information about the person is not used: the service says who is signed in. */
const noClaims = { sub: "", iss: "", aud: "", exp: 0, iat: 0 };
