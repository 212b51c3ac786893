import type { Answer, TestServer } from "./server.ts";

/** Sends a request of the AuthZEN Authorization API as its clients do: without anything of Connect's. */
export async function askAuthzen(
  server: Pick<TestServer, "url">,
  path: string,
  request: object | string,
  { token, headers = {} }: { token?: string | undefined; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await fetch(`${server.url}/access/v1/${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: typeof request === "string" ? request : JSON.stringify(request),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** The entities of a request, as most tests need them. */
export const subject = (id: string, type = "user") => ({ type, id });
export const action = (name: string) => ({ name });
export const resource = (id: string, organizationId?: string, type = "project") => ({
  type,
  id,
  ...(organizationId !== undefined && { properties: { organization_id: organizationId } }),
});
