import type { RequestListener } from "node:http";
import { vi } from "vitest";
import { startHttpServer } from "./http-server.ts";
import { newKey, type SigningKey } from "./signing.ts";

/** A real OpenID Connect provider. Its clients are users of the directory, which makes their ids the `sub`. */
export async function startOpenIdProvider(...userIds: string[]) {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end();
  let key: SigningKey;
  const { url: issuer, ...server } = await startHttpServer((request, response) => answer(request, response));

  /** Signs with a new key from now on; the old one is published no longer. */
  async function rotate(): Promise<void> {
    key = newKey(`key-${Math.random()}`, "RS256");
    answer = await provider(issuer, key, userIds);
  }
  await rotate();

  return {
    ...server,
    issuer,
    /** What it signs with. */
    key: () => key,
    /** An access token, as the provider makes it. */
    async token(userId: string, audience: string): Promise<string> {
      const response = await fetch(`${issuer}/token`, {
        method: "POST",
        headers: { authorization: `Basic ${btoa(`${userId}:secret`)}` },
        body: new URLSearchParams({ grant_type: "client_credentials", resource: audience }),
      });
      const body: any = await response.json();
      if (response.status !== 200) throw new Error(`the provider made no token: ${JSON.stringify(body)}`);
      return body.access_token;
    },
    rotate,
  };
}

async function provider(issuer: string, { privateKey, jwk }: SigningKey, userIds: string[]): Promise<RequestListener> {
  // It warns of Node versions that are no LTS yet, and that nothing here outlives the process.
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  try {
    const { Provider } = await import("oidc-provider");
    const made = new Provider(issuer, {
      clients: userIds.map((id) => ({
        client_id: id,
        client_secret: "secret",
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
      })),
      jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: jwk.kid, alg: jwk.alg, use: "sig" }] },
      ttl: { ClientCredentials: 600 },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_context: object, audience: string) => ({
            audience,
            scope: "",
            accessTokenFormat: "jwt",
          }),
        },
      },
    });
    return made.callback();
  } finally {
    warn.mockRestore();
  }
}
