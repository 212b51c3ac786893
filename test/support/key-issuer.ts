import type { ServerResponse } from "node:http";
import { afterAll } from "vitest";
import { type HttpServer, startHttpServer } from "./http-server.ts";
import type { SigningKey } from "./signing.ts";

/** An issuer whose discovery document and keys are whatever a test wants them to be. */
export type KeyIssuer = HttpServer & {
  /** The paths that were asked for so far. */
  readonly requests: string[];
  /** Answers /keys with these keys from now on. */
  publish(...keys: SigningKey[]): void;
  /** Answers a path with this status and text from now on, or as the function does. */
  answer(path: string, answer: string | object | ((response: ServerResponse) => void), status?: number): void;
};

export const discoveryPath = "/.well-known/openid-configuration";

export async function startKeyIssuer(...keys: SigningKey[]): Promise<KeyIssuer> {
  const requests: string[] = [];
  const answers = new Map<string, (response: ServerResponse) => void>();
  const server = await startHttpServer((request, response) => {
    const path = request.url ?? "";
    requests.push(path);
    const answer = answers.get(path);
    if (answer === undefined) response.writeHead(404).end();
    else answer(response);
  });

  const issuer: KeyIssuer = {
    ...server,
    requests,
    publish: (...published) => issuer.answer("/keys", { keys: published.map(({ jwk }) => jwk) }),
    answer(path, answer, status = 200) {
      answers.set(path, (response) => {
        if (typeof answer === "function") answer(response);
        else response.writeHead(status).end(typeof answer === "string" ? answer : JSON.stringify(answer));
      });
    },
  };
  issuer.answer(discoveryPath, { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` });
  issuer.publish(...keys);
  return issuer;
}

/** One for all tests of a file. It is stopped after them. */
export async function keyIssuerOfTests(...keys: SigningKey[]): Promise<KeyIssuer> {
  const issuer = await startKeyIssuer(...keys);
  afterAll(() => issuer.stop());
  return issuer;
}
