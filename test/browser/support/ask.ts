import { inject } from "vitest";
import type { Tokens } from "./process.ts";

/** What the service itself answers, for comparing what the page shows with it. */
export async function ask(as: keyof Tokens, method: string, request: object): Promise<any> {
  const { url, tokens } = inject("service");
  const response = await fetch(`${url}/service.authorization.v2.${method}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${tokens[as]}`,
      "connect-protocol-version": "1",
      "content-type": "application/json",
    },
    body: JSON.stringify(request),
  });
  if (!response.ok) throw new Error(`${method} was answered with ${response.status}: ${await response.text()}`);
  return response.json();
}

/** The names of users in the order in which the service lists what is asked for. */
export async function listedUsers(as: keyof Tokens, request: object): Promise<string[]> {
  const { authorizations } = await ask(as, "AuthorizationService/ListAuthorizations", request);
  return authorizations.map(({ user }: any) => user.displayName || user.id);
}
