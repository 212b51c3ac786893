import { callHeaders } from "../../test/support/call-headers.ts";
import { block } from "../../test/support/http2-frames.ts";
import { request } from "../../test/support/raw-http.ts";

export const lists = "/service.authorization.v2.AuthorizationService/ListAuthorizations";

/** A call in JSON over HTTP/1.1, as its bytes. */
export function call(path: string, token: string, message: object): string {
  const body = JSON.stringify(message);
  return headOf(path, token, Buffer.byteLength(body)) + body;
}

/** What comes before a body. */
export function headOf(path: string, token: string, bytes: number, more: Record<string, string> = {}): string {
  return request(`POST ${path} HTTP/1.1`, {
    host: "127.0.0.1",
    ...callHeaders(token),
    ...more,
    "content-length": String(bytes),
  });
}

/** The headers of a POST over HTTP/2. */
export function postBlock(path: string, headers: Record<string, string>): Buffer {
  return block([
    [":method", "POST"],
    [":scheme", "http"],
    [":path", path],
    [":authority", "127.0.0.1"],
    ...Object.entries(headers),
  ]);
}
