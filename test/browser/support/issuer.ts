import type { IncomingMessage, ServerResponse } from "node:http";
import { Provider } from "oidc-provider";
import { type HttpServer, startHttpServer } from "../../support/http-server.ts";
import { newKey } from "../../support/signing.ts";

/** What the service accepts its tokens for. */
export const audience = "https://authorizations.example";
export const clientId = "console";

/** Who may renew their tokens: ann, and nobody else. */
const renews = "ann";

const lifetimeSeconds = 600;

/** A real OpenID Connect provider, with a page of its own that asks for a user. */
export function startIssuer(port: number, redirectUri: string): Promise<HttpServer> {
  const provider = quietly(() => new Provider(`http://127.0.0.1:${port}`, configuration(redirectUri)));
  const answer = provider.callback();
  return startHttpServer((request, response) => {
    if (request.url?.startsWith("/interaction/")) void interact(provider, request, response);
    else answer(request, response);
  }, port);
}

function configuration(redirectUri: string): object {
  const { privateKey, jwk } = newKey("browser", "RS256");
  return {
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        redirect_uris: [redirectUri],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: jwk.kid, alg: jwk.alg, use: "sig" }] },
    cookies: { keys: ["only for tests"] },
    ttl: { AccessToken: lifetimeSeconds, Grant: 3_600, Session: 3_600, Interaction: 3_600, RefreshToken: 3_600 },
    clientBasedCORS: () => true,
    findAccount: (_context: object, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    issueRefreshToken: (_context: object, _client: object, code: { accountId: string }) => code.accountId === renews,
    interactions: { url: (_context: object, { uid }: { uid: string }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: object, resource: string) => ({
          audience: resource,
          scope: "",
          accessTokenFormat: "jwt",
        }),
      },
    },
    // Nobody is asked for consent.
    async loadExistingGrant({ oidc }: any) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope("openid offline_access");
      await grant.save();
      return grant;
    },
  };
}

/** Asks who it is, believes it, and lets people refuse. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": "text/html" }).end(page);
    return;
  }
  let body = "";
  for await (const chunk of request) body += chunk;
  const user = new URLSearchParams(body).get("user");
  const result = user ? { login: { accountId: user } } : { error: "access_denied", error_description: "refused" };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

const page = `<!doctype html><html lang="en"><title>Issuer</title><link rel="icon" href="data:,">
<form method="post"><label>User <input name="user"></label><button>Continue</button></form>
<form method="post"><button>Refuse</button></form></html>`;

/** It warns of what does not matter in a test. */
function quietly<T>(work: () => T): T {
  const { warn, info } = console;
  console.warn = console.info = () => {};
  try {
    return work();
  } finally {
    Object.assign(console, { warn, info });
  }
}
