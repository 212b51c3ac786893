/** The headers of a call in Connect's protocol. */
export function callHeaders(token: string, contentType = "application/json"): Record<string, string> {
  return { "content-type": contentType, "connect-protocol-version": "1", authorization: `Bearer ${token}` };
}
