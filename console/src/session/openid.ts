import { OidcClient, type SigninResponse, WebStorageStateStore } from "oidc-client-ts";
import type { OidcSettings } from "../settings.ts";
import type { Issued } from "./session.ts";

/**
 * The code flow with PKCE. oidc-client-ts creates and checks state, nonce and verifier. Only src/session imports this
 * file, and only when someone signs in this way, because the library is not part of the first view.
 */

export type IssuedToken = Issued & { readonly token: string };

/** The client, whose calls throw an ErrorResponse if the issuer refuses. */
export function clientOf(oidc: OidcSettings): OidcClient {
  const resource = resourceOf(oidc);
  return new OidcClient({
    authority: oidc.issuer,
    client_id: oidc.clientId,
    // The client must be registered at the issuer with exactly this URI.
    redirect_uri: `${location.origin}/signed-in`,
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

export async function tokenForRefreshToken(oidc: OidcSettings, refreshToken: string): Promise<IssuedToken> {
  const state = { refresh_token: refreshToken, session_state: null, profile: noClaims };
  const resource = resourceOf(oidc);
  const answer = await clientOf(oidc).useRefreshToken({ state, ...(resource && { resource }) });
  // Issuers that don't rotate refresh tokens return none.
  return { refreshToken, ...issuedBy(answer) };
}

export function issuedBy({ access_token: token, expires_at, refresh_token }: SigninResponse): IssuedToken {
  return {
    token,
    ...(expires_at !== undefined && { expiresAt: expires_at * 1000 }),
    ...(refresh_token && { refreshToken: refresh_token }),
  };
}

/** The issuer's information about the person is not used: the service says who is signed in. */
const noClaims = { sub: "", iss: "", aud: "", exp: 0, iat: 0 };
