/** The path of an RPC of AuthorizationService, given by its name, or of any other, as in `directory.v1.DirectoryService/ListUsers`. */
export function pathOf(rpc: string): string {
  return rpc.includes("/") ? `/service.${rpc}` : `/service.authorization.v2.AuthorizationService/${rpc}`;
}

/** Calls an RPC of a server that a test didn't start itself, or with what a test server's own calls can't send. */
export function post(
  url: string | undefined,
  token: string | undefined,
  rpc = "ListAuthorizations",
  body: object | string | Uint8Array = {},
  { contentType, ...more }: { contentType?: string; signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<Response> {
  const isWritten = typeof body === "string" || body instanceof Uint8Array;
  return fetch(`${url}${pathOf(rpc)}`, {
    method: "POST",
    body: isWritten ? (body as string) : JSON.stringify(body),
    ...more,
    headers: { ...callHeaders(token, contentType), ...more.headers },
  });
}

/** The headers of a call in Connect's protocol. */
export function callHeaders(token: string | undefined, contentType = "application/json"): Record<string, string> {
  const credentials = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return { "content-type": contentType, "connect-protocol-version": "1", ...credentials };
}
